// Where things are in a diagram, in pixels. Threads, then objects, are columns; the shown lines are rows.

const GUTTER = 52;
const FIRST = 22;
const HEADER = 34;
const TALL_HEADER = 84;
const CHARACTER = 8;
const WIDEST_LABEL = 440;
const DIFFERENCE = 80;
const OBJECT_COLUMN = 96;
/** Names that are tilted do not lie on each other if they are as far apart as this, however small the rest is. */
const TILTED_NAME = 22;

class Layout {
  constructor(run, difference = null) {
    this.run = run;
    this.zoom = 1;
    this.filter = { threads: null, objects: null };
    this.objectsShown = false;
    const length = (row) => row.text.length + run.shortPlace(row).length + 5;
    this.label = Math.min(WIDEST_LABEL, run.rows.reduce((most, row) => Math.max(most, length(row)), 12) * CHARACTER);
    const differs = difference === null ? 0 : length(run.rows[difference]) * CHARACTER + DIFFERENCE;
    this.label = Math.max(this.label, differs);
    this.update(800);
  }

  update(width) {
    this.shown = this.run.filtered(this.filter);
    this.position = new Map(this.shown.map((row, i) => [row, i]));
    this.threads = this.run.threads.map((_, i) => i).filter((i) => !this.filter.threads || this.filter.threads.has(i));
    const used = new Set(this.shown.map((i) => this.run.rows[i].object).filter((object) => object !== undefined));
    this.objects = this.objectsShown ? [...used].sort((a, b) => a - b) : [];
    this.rowHeight = Math.round(26 * this.zoom);
    this.font = Math.max(8, Math.round(13 * this.zoom * 10) / 10);
    this.place(width);
  }

  /** Few threads are far apart, so that the text of one does not cover the others. */
  place(width) {
    const gaps = Math.max(1, this.threads.length - 1);
    const objectColumn = OBJECT_COLUMN * Math.max(1, this.zoom);
    const room = width - GUTTER - FIRST - this.label - this.objects.length * objectColumn;
    const least = this.threads.length <= 6 ? 80 : TILTED_NAME;
    this.spacing = Math.max(TILTED_NAME, Math.min(300, Math.max(least, room / gaps)) * this.zoom);
    const first = GUTTER + FIRST * this.zoom;
    this.threadX = new Map(this.threads.map((thread, i) => [thread, first + i * this.spacing]));
    const end = first + (this.threads.length - 1) * this.spacing + this.label * this.zoom;
    this.objectX = new Map(this.objects.map((object, i) => [object, end + (i + 0.5) * objectColumn]));
    this.width = Math.max(width, end + this.objects.length * objectColumn);
    this.height = this.shown.length * this.rowHeight;
    const longest = Math.max(...this.threads.map((thread) => this.run.threads[thread].length), 1);
    this.tilted = longest * 8 + 12 > this.spacing && this.threads.length > 1;
    this.header = this.tilted ? TALL_HEADER : HEADER;
  }

  x(i) {
    return this.threadX.get(this.run.rows[i].thread);
  }

  /** The middle of a line. */
  y(position) {
    return (position + 0.5) * this.rowHeight;
  }

  /** The position of the first shown line that is not before line `i`. */
  positionFrom(i) {
    let low = 0;
    let high = this.shown.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.shown[middle] < i) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

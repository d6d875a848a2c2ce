// A run, and which of its lines are shown.

class Run {
  constructor(run, data) {
    this.data = data;
    this.name = run.name;
    this.threads = run.threads;
    this.objects = run.objects;
    this.rows = run.rows;
    this.events = run.events;
    this.preemptions = run.preemptions;
    this.knowsLocks = run.knows_locks;
    this.difference = run.difference ?? null;
    this.arrows = run.arrows.map(([from, to, kind]) => ({ from, to, kind }));
    this.causes = this.rows.map(() => []);
    this.effects = this.rows.map(() => []);
    for (const arrow of this.arrows) {
      this.causes[arrow.to].push(arrow);
      this.effects[arrow.from].push(arrow);
    }
    const files = new Set(this.rows.map((row) => this.placeOf(row)?.file).filter(Boolean));
    this.onlyFile = files.size === 1;
    this.spans = this.threads.map((_, thread) => this.spanOf(thread));
  }

  /** From the line that starts a thread to its last one, which is the same if it did nothing that others can see. */
  spanOf(thread) {
    const own = (row) => row.thread === thread;
    const start = this.rows.findIndex((row) => row.starts === thread);
    const first = start < 0 ? this.rows.findIndex(own) : start;
    const last = this.rows.findLastIndex(own);
    return { first: thread === 0 && !this.threads[0].startsWith("main/") ? 0 : first, last: last < 0 ? first : last, isIdle: last < 0 };
  }

  placeOf(row) {
    return row.place === undefined ? null : this.data.places[row.place];
  }

  /** The last line of the same thread before this one that has a place; -1 if there is none. */
  lastPlaced(i) {
    const { thread } = this.rows[i];
    for (let before = i - 1; before >= 0; --before)
      if (this.rows[before].thread === thread && this.placeOf(this.rows[before])) return before;
    return -1;
  }

  /** As short as it can be: if all lines are in one file, its name is not repeated. */
  shortPlace(row) {
    const place = this.placeOf(row);
    return place && this.onlyFile && place.file ? `:${place.line}` : placeText(place);
  }

  stackOf(row) {
    return row.stack === undefined ? [] : this.data.stacks[row.stack].map((place) => this.data.places[place]);
  }

  objectName(row) {
    return row.object === undefined ? "" : this.objects[row.object].name;
  }

  /** The line that the bug is at: the last that is marked. */
  bug() {
    const marked = this.rows.findLastIndex((row) => row.marked);
    return marked < 0 ? this.rows.length - 1 : marked;
  }

  /** The numbers of the lines that a filter lets through. */
  filtered({ threads, objects }) {
    const shown = [];
    this.rows.forEach((row, i) => {
      if (threads && !threads.has(row.thread)) return;
      if (objects && !objects.has(row.object)) return;
      shown.push(i);
    });
    return shown;
  }

  matches(row, query) {
    const text = [row.text, this.threads[row.thread], this.objectName(row), placeText(this.placeOf(row))].join(" ");
    return text.toLowerCase().includes(query.toLowerCase());
  }

  /** "event 5: main/1 lock m". */
  describe(i) {
    const row = this.rows[i];
    return `${row.event ? `event ${row.event}: ` : ""}${this.threads[row.thread]} ${row.text}`;
  }
}

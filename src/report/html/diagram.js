// A diagram that can be scrolled and stepped through. Only the lines that can be seen are in the document, so that long
// runs stay fluid.

const OVERSCAN = 12;
/** A box of which the window shows fewer lines is not worth looking at. */
const LEAST_LINES = 5;
let diagrams = 0;

class Diagram {
  constructor(run, { label, onselect, onfocus, difference }) {
    this.run = run;
    this.onselect = onselect;
    this.difference = difference ?? null;
    this.layout = new Layout(run, this.difference);
    this.arrowsShown = true;
    this.query = "";
    this.selected = 0;
    this.id = `diagram-${++diagrams}`;
    this.svg = shape("svg", { class: "graphics", "aria-hidden": "true" });
    this.lines = element("div", { class: "lines" });
    this.head = element("div", { class: "head" });
    this.canvas = element("div", { class: "canvas" }, this.svg, this.lines);
    this.scroller = element("div", { class: "scroller", tabindex: 0, role: "listbox", "aria-label": label,
      onkeydown: (event) => this.key(event), onfocus: () => onfocus?.() }, this.head, this.canvas);
    this.redraw = oncePerFrame(() => this.draw());
    this.scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.scroller.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.scroller.addEventListener("click", (event) => this.clicked(event));
    enableDragging(this.scroller);
    this.measure = new ResizeObserver(() => this.refresh());
    this.measure.observe(this.scroller);
  }

  /** After a change of what is shown or how large it is. */
  refresh() {
    this.layout.update(this.scroller.clientWidth || 800);
    const { width, height, font, rowHeight, header } = this.layout;
    this.canvas.style.width = `${width}px`;
    this.head.style.width = `${width}px`;
    this.head.style.height = `${header}px`;
    this.scroller.style.setProperty("--font", `${font}px`);
    this.scroller.style.setProperty("--row", `${rowHeight}px`);
    this.scroller.style.setProperty("--content", `${height + header}px`);
    this.canvas.style.height = `${height + this.spare()}px`;
    this.head.replaceChildren(...this.headings());
    this.window = null;
    this.draw();
  }

  headings() {
    const { layout, run } = this;
    const heading = (x, name, classes, attributes, action) => button(name, action,
      { class: `heading ${classes}${layout.tilted ? " tilted" : ""}`, title: name, "--x": `${x}px`, tabindex: -1, ...attributes });
    return [
      ...layout.threads.map((thread) => heading(layout.threadX.get(thread), run.threads[thread], "thread",
        { "--hue": hueOf(thread), ...(run.spans[thread].isIdle ? { title: `${run.threads[thread]}: did nothing that others can see` } : {}) },
        () => this.onproject?.(thread))),
      ...layout.objects.map((object) => heading(layout.objectX.get(object), run.objects[object].name, "object", {},
        () => this.onobject?.(object))),
    ];
  }

  visible() {
    const { rowHeight, shown, header } = this.layout;
    const first = Math.floor(this.scroller.scrollTop / rowHeight);
    const count = Math.ceil((this.scroller.clientHeight - header) / rowHeight);
    return [Math.max(0, first), Math.min(shown.length, first + count + 1)];
  }

  scrolled() {
    const [first, last] = this.visible();
    if (!this.window || first < this.window[0] || last > this.window[1]) this.redraw();
  }

  draw() {
    const [first, last] = this.visible();
    const { layout } = this;
    this.window = [Math.max(0, first - OVERSCAN), Math.min(layout.shown.length, last + OVERSCAN)];
    const [from, to] = this.window;
    this.svg.setAttribute("width", layout.width);
    this.svg.setAttribute("height", Math.max(0, to - from) * layout.rowHeight);
    this.svg.style.top = `${from * layout.rowHeight}px`;
    this.svg.replaceChildren(...new Drawing(layout, this.selected).draw(from, to, this.arrowsShown));
    const lines = [];
    for (let position = from; position < to; ++position) lines.push(this.line(position));
    if (layout.shown.length === 0) lines.push(element("p", { class: "nothing faint" }, "There is no such line in this run."));
    this.lines.replaceChildren(...lines);
    this.announce();
  }

  line(position) {
    const { layout, run } = this;
    const i = layout.shown[position];
    const row = run.rows[i];
    const classes = ["line", row.kind, row.marked && "marked", row.key && "key", i === this.selected && "selected",
      this.query && run.matches(row, this.query) && "match", i === this.difference && "difference"];
    const place = run.shortPlace(row);
    return element("div", { class: classes.filter(Boolean).join(" "), id: `${this.id}-${i}`, role: "option", "data-row": i,
      "aria-selected": String(i === this.selected), "aria-setsize": layout.shown.length, "aria-posinset": position + 1,
      "aria-label": `${run.describe(i)} ${place}`, "--y": `${position * layout.rowHeight}px`, "--x": `${layout.x(i)}px` },
      element("span", { class: "number" }, row.event ? String(row.event) : ""),
      element("span", { class: "label" }, row.text, place ? element("span", { class: "place" }, place) : null));
  }

  announce() {
    if (this.layout.position.has(this.selected)) this.scroller.setAttribute("aria-activedescendant", `${this.id}-${this.selected}`);
    else this.scroller.removeAttribute("aria-activedescendant");
  }

  select(i, { quiet = false } = {}) {
    if (i === undefined || i < 0 || i >= this.run.rows.length) return;
    this.selected = i;
    this.reveal(i);
    this.draw();
    if (!quiet) this.onselect?.(this, i);
  }

  /** The page has moved: another part of the box is in the window. */
  revealAgain() {
    this.reveal(this.selected);
    this.draw();
  }

  /** How much of the box the window shows below where the box begins, if that is enough to be of use. */
  shownPart(top) {
    const { header, rowHeight } = this.layout;
    const inside = Math.min(this.scroller.clientHeight, innerHeight - top);
    return top >= 0 && inside >= header + LEAST_LINES * rowHeight ? inside : this.scroller.clientHeight;
  }

  /** Room below the last line, so that it can be seen in a box that the window cuts off when the page is opened. */
  spare() {
    const hidden = this.scroller.clientHeight - this.shownPart(this.scroller.getBoundingClientRect().top + scrollY);
    return hidden > 0 ? hidden + this.layout.rowHeight : 0;
  }

  reveal(i) {
    const position = this.layout.position.get(i);
    if (position === undefined) return;
    const { rowHeight, header } = this.layout;
    const { scroller } = this;
    const top = position * rowHeight;
    const room = this.shownPart(scroller.getBoundingClientRect().top) - header - rowHeight;
    if (top < scroller.scrollTop + rowHeight) scroller.scrollTop = top - rowHeight;
    else if (top > scroller.scrollTop + room - rowHeight) scroller.scrollTop = top - room + rowHeight;
    const x = this.layout.x(i);
    const needed = Math.min((this.run.rows[i].text.length + 5) * CHARACTER * this.layout.zoom, this.mostNeeded(i));
    if (x - GUTTER - 10 < scroller.scrollLeft) scroller.scrollLeft = x - GUTTER - 30;
    else if (x + needed > scroller.scrollLeft + scroller.clientWidth) scroller.scrollLeft = x + needed - scroller.clientWidth;
  }

  /** Long lines go on in the panel: other threads matter more than their ends, unless it is the line that is different. */
  mostNeeded(i) {
    const { clientWidth } = this.scroller;
    return i === this.difference ? clientWidth - GUTTER - FIRST : 0.4 * clientWidth;
  }

  /** Where the selected line is in the window; null if a filter hides it. */
  selectedBounds() {
    const position = this.layout.position.get(this.selected);
    if (position === undefined) return null;
    const top = this.canvas.getBoundingClientRect().top + position * this.layout.rowHeight;
    return { top, bottom: top + this.layout.rowHeight };
  }

  isInWindow() {
    const { top, bottom } = this.scroller.getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  }

  /** So many shown lines on. */
  step(count) {
    const { shown, position } = this.layout;
    if (shown.length === 0) return;
    const now = position.get(this.selected) ?? this.layout.positionFrom(this.selected) - (count > 0 ? 1 : 0);
    this.select(shown[Math.min(shown.length - 1, Math.max(0, now + count))]);
  }

  /** To the next line of the same thread. */
  stepInThread(direction) {
    const { shown } = this.layout;
    const { thread } = this.run.rows[this.selected];
    for (let at = this.layout.positionFrom(this.selected) + direction; at >= 0 && at < shown.length; at += direction)
      if (this.run.rows[shown[at]].thread === thread) return this.select(shown[at]);
  }

  setFilter(change) {
    Object.assign(this.layout.filter, change);
    this.refresh();
    if (!this.layout.position.has(this.selected) && this.layout.shown.length > 0)
      this.select(this.layout.shown[Math.min(this.layout.positionFrom(this.selected), this.layout.shown.length - 1)]);
    else this.reveal(this.selected);
  }

  setZoom(zoom) {
    this.layout.zoom = Math.min(2.5, Math.max(0.35, zoom));
    this.refresh();
    this.reveal(this.selected);
  }

  clicked(event) {
    const line = event.target.closest("[data-row]");
    if (line) this.select(Number(line.dataset.row));
  }

  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.onzoom?.(event.deltaY < 0 ? 1.1 : 1 / 1.1);
  }

  /** True if the key means something here. */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const actions = {
      ArrowDown: () => this.step(1), j: () => this.step(1),
      ArrowUp: () => this.step(-1), k: () => this.step(-1),
      ArrowRight: () => this.stepInThread(1), l: () => this.stepInThread(1),
      ArrowLeft: () => this.stepInThread(-1), h: () => this.stepInThread(-1),
      PageDown: () => this.step(10), PageUp: () => this.step(-10),
      Home: () => this.step(-Infinity), End: () => this.step(Infinity),
      b: () => this.onbug?.(), d: () => this.ondifference?.(),
      "+": () => this.onzoom?.(1.2), "-": () => this.onzoom?.(1 / 1.2), 0: () => this.onzoom?.(0),
    };
    if (!Object.hasOwn(actions, event.key)) return false;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
    return true;
  }
}

/** The mouse moves what it holds. */
function enableDragging(scroller) {
  let start = null;
  scroller.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0 || event.target.closest("button")) return;
    const bounds = scroller.getBoundingClientRect();
    if (event.clientX > bounds.left + scroller.clientWidth || event.clientY > bounds.top + scroller.clientHeight) return;
    start = { x: event.clientX + scroller.scrollLeft, y: event.clientY + scroller.scrollTop };
  });
  window.addEventListener("pointermove", (event) => {
    if (!start || event.buttons !== 1) return;
    scroller.scrollLeft = start.x - event.clientX;
    scroller.scrollTop = start.y - event.clientY;
  });
  window.addEventListener("pointerup", () => { start = null; });
}

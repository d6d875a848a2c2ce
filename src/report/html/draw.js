// The lines, dots and arrows of the part of a diagram that can be seen.

/** How arrows are called, and what they mean. */
const ARROWS = {
  create: "starts the thread",
  join: "has ended",
  lock: "gives back what is taken",
  wake: "wakes up",
  value: "wrote what is read",
  message: "sent what is received",
  held: "holds what is waited for",
  race: "races with",
};

function line(x1, y1, x2, y2, attributes) {
  return shape("line", { x1, y1, x2, y2, ...attributes });
}

/** A straight arrow whose head stops before the dot that it points to. */
function arrowShape(from, to, kind, strong) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const tip = { x: to.x - dx * 7, y: to.y - dy * 7 };
  const back = { x: tip.x - dx * 9, y: tip.y - dy * 9 };
  const head = `${tip.x},${tip.y} ${back.x - dy * 4},${back.y + dx * 4} ${back.x + dy * 4},${back.y - dx * 4}`;
  return shape("g", { class: `arrow ${kind}${strong ? " strong" : ""}` },
    line(from.x, from.y, back.x, back.y, {}), shape("polygon", { points: head }));
}

class Drawing {
  constructor(layout, selected) {
    this.layout = layout;
    this.run = layout.run;
    this.selected = selected;
  }

  /** Everything between two positions, for an SVG that begins at the first one. */
  draw(first, last, arrowsShown) {
    this.first = first;
    this.last = last;
    const parts = [...this.lifelines(), ...this.objectLines(), ...this.activity()];
    if (arrowsShown) parts.push(...this.arrows(), ...this.idleStarts());
    return [...parts, ...this.dots()];
  }

  top(position) {
    return this.layout.y(position) - this.first * this.layout.rowHeight;
  }

  lifelines() {
    const { layout, run } = this;
    const end = (this.last - this.first) * layout.rowHeight;
    return layout.threads.flatMap((thread) => {
      const x = layout.threadX.get(thread);
      const span = run.spans[thread];
      const from = Math.max(0, this.top(layout.positionFrom(span.first)));
      const to = Math.min(end, this.top(layout.positionFrom(span.last)));
      const parts = [];
      if (from < to) parts.push(line(x, from, x, to, { class: "lifeline", "--hue": hueOf(thread) }));
      const rest = Math.max(0, to, from);
      if (rest < end) parts.push(line(x, rest, x, end, { class: "lifeline over", "--hue": hueOf(thread) }));
      return parts;
    });
  }

  objectLines() {
    const end = (this.last - this.first) * this.layout.rowHeight;
    return this.layout.objects.map((object) => {
      const x = this.layout.objectX.get(object);
      return line(x, 0, x, end, { class: "lifeline object" });
    });
  }

  /** A bar where a thread is the one that runs. */
  activity() {
    const { layout, run } = this;
    const bars = [];
    for (let position = this.first; position < this.last; ++position) {
      const row = run.rows[layout.shown[position]];
      if (row.kind === "pause" || row.kind === "wait") continue;
      const top = (position - this.first) * layout.rowHeight;
      bars.push(shape("rect", { x: layout.threadX.get(row.thread) - 3, y: top, width: 6, height: layout.rowHeight,
        class: "activity", "--hue": hueOf(row.thread) }));
    }
    return bars;
  }

  arrows() {
    const { layout, run } = this;
    const [low, high] = [layout.shown[this.first] ?? 0, layout.shown[this.last - 1] ?? 0];
    const parts = [];
    for (const arrow of run.arrows) {
      if (arrow.from > high || arrow.to < low) continue;
      const from = layout.position.get(arrow.from);
      const to = layout.position.get(arrow.to);
      if (from === undefined || to === undefined) continue;
      const strong = arrow.from === this.selected || arrow.to === this.selected;
      // Of long runs, arrows that come from far away would cover everything.
      if (!strong && to - from > 60 && (from < this.first || to >= this.last)) continue;
      parts.push(arrowShape({ x: layout.x(arrow.from), y: this.top(from) }, { x: layout.x(arrow.to), y: this.top(to) },
        arrow.kind, strong));
    }
    return parts;
  }

  /** Threads that do nothing have no line that an arrow could lead to: it leads to where they begin. */
  idleStarts() {
    const { layout, run } = this;
    return layout.threads.filter((thread) => run.spans[thread].isIdle).flatMap((thread) => {
      const { first } = run.spans[thread];
      const position = layout.position.get(first);
      if (position === undefined || position < this.first || position >= this.last) return [];
      const y = this.top(position);
      return [arrowShape({ x: layout.x(first), y }, { x: layout.threadX.get(thread), y: y + layout.rowHeight / 2 }, "create", first === this.selected)];
    });
  }

  dots() {
    const parts = [];
    for (let position = this.first; position < this.last; ++position) {
      const i = this.layout.shown[position];
      parts.push(...this.dot(this.run.rows[i], i, this.layout.x(i), this.top(position)));
    }
    return parts;
  }

  dot(row, i, x, y) {
    if (row.kind === "pause") return [line(x - 4, y - 4, x - 4, y + 4, { class: "pause" }), line(x + 4, y - 4, x + 4, y + 4, { class: "pause" })];
    const parts = [];
    const object = this.layout.objectX.get(row.object);
    if (object !== undefined) {
      parts.push(line(x, y, object, y, { class: "touch" }));
      parts.push(shape("rect", { x: object - 4, y: y - 4, width: 8, height: 8, class: "touched", "--hue": hueOf(row.thread) }));
    }
    if (row.marked) parts.push(shape("circle", { cx: x, cy: y, r: 9, class: "alarm" }));
    const size = row.kind === "link" ? 3.5 : 5.5;
    const classes = ["dot", row.kind, row.marked ? "marked" : "", i === this.selected ? "selected" : ""];
    parts.push(shape("circle", { cx: x, cy: y, r: size, class: classes.join(" "), "--hue": hueOf(row.thread) }));
    return parts;
  }
}

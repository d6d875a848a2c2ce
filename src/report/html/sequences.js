// The sequences that reachability testing exercised: how each was derived from another, and its race table.

/** What is drawn at once. A search finds the rest of what is on the page. */
const MOST_DRAWN = 300;

const ENDS = { ok: "ends well", "": "given up, it could only repeat others" };
const endOf = (sequence) => ENDS[sequence.end] ?? sequence.end;

/** The sequences as a tree; a number is that of the run. */
class Sequences {
  constructor(data) {
    this.data = data;
    this.all = data.sequences.map((sequence, number) => ({ ...sequence, number, children: [] }));
    for (const sequence of this.all) if (sequence.parent >= 0) this.all[sequence.parent].children.push(sequence.number);
    for (const sequence of this.all) {
      sequence.depth = sequence.parent < 0 ? 0 : this.all[sequence.parent].depth + 1;
      sequence.text = this.changes(sequence).map(([what, to]) => `${what}: ${to}`).join("; ");
    }
  }

  part(number) {
    return this.data.parts[number].text;
  }

  /** What is different from the sequence that it was derived from: [receiving event, new partner]. */
  changes(sequence) {
    if (sequence.row < 0) return [];
    const from = this.all[sequence.parent];
    const [row] = from.rows[sequence.row];
    return row.flatMap((value, i) => value > 0 ? [[this.part(from.columns[i][0]), this.part(from.columns[i][2][value - 1])]] : []);
  }

  matches(sequence, query) {
    return [`#${sequence.number + 1}`, endOf(sequence), sequence.text].some((text) => text.toLowerCase().includes(query));
  }

  below(number, most) {
    const found = [number];
    for (let i = 0; i < found.length && found.length < most; ++i) found.push(...this.all[found[i]].children);
    return found.slice(0, most);
  }

  /** What to draw around one: how it comes about, what comes of it, its siblings, and what else there is room for. */
  around(number) {
    const path = [];
    for (let at = number; at >= 0; at = this.all[at].parent) path.push(at);
    const siblings = path.length > 1 ? this.all[path[1]].children : [];
    const room = Math.floor(MOST_DRAWN / 3);
    const wanted = [path, this.below(number, room), siblings.slice(siblings.indexOf(number), siblings.indexOf(number) + room),
      this.below(0, MOST_DRAWN)];
    return new Set([...new Set(wanted.flat())].slice(0, Math.max(MOST_DRAWN, path.length)));
  }

  /** Those that are drawn, each before what comes of it. */
  lines(drawn) {
    const lines = [];
    const left = [0];
    while (left.length > 0) {
      const sequence = this.all[left.pop()];
      lines.push(sequence);
      left.push(...sequence.children.filter((child) => drawn.has(child)).reverse());
    }
    return lines;
  }
}

/** The race table of a sequence: its receiving events, what they could be synchronized with, and what was tried. */
function raceTable(sequences, sequence, show) {
  if (sequence.columns.length === 0)
    return element("p", { class: "faint" }, sequence.end === "" ? "It has no race table." : "Nothing in it can be changed that was not changed before.");
  const { parts } = sequences.data;
  const cell = (number) => [parts[number].text, parts[number].place ? element("span", { class: "place" }, ` ${parts[number].place}`) : ""];
  const jump = (number) => button(`#${number + 1}`, () => show(number), { class: "jump" });
  const led = (row) => row.length > 0 ? row.flatMap((number) => [jump(number), " "]) : "contradicts itself";
  const line = (name, cells, attributes = {}) => element("tr", attributes, element("th", { scope: "row" }, name), ...cells);
  const values = ([changes, led_to]) => line(led(led_to), changes.map((value, i) => value > 0 ?
    element("td", { class: "changed" }, parts[sequence.columns[i][2][value - 1]].text) :
    element("td", { class: "faint" }, value < 0 ? "gone" : "not changed")));
  const missing = [["row", sequence.rows_in_all - sequence.rows.length], ["column", sequence.columns_in_all - sequence.columns.length]]
    .filter(([, count]) => count > 0).map(([what, count]) => plural(count, what));
  return element("div", { class: "race-table", tabindex: 0, role: "region", "aria-label": `Race table of sequence ${sequence.number + 1}` },
    element("table", {}, element("thead", {}, element("tr", {}, element("td"), ...sequence.columns.map(([receiving]) =>
      element("th", { scope: "col" }, ...cell(receiving))))),
    element("tbody", {}, line("happened", sequence.columns.map(([, partner]) => element("td", {}, ...cell(partner)))),
      line("could be instead", sequence.columns.map(([, , races]) => element("td", {},
        element("ul", {}, ...races.map((race) => element("li", {}, ...cell(race))))))),
      ...sequence.rows.map(values))),
    missing.length > 0 ? element("p", { class: "faint" }, `Not on this page: ${missing.join(" and ")} more.`) : "");
}

class SequenceView {
  constructor(sequences) {
    this.sequences = sequences;
    this.missing = sequences.data.runs - sequences.all.length;
    this.query = "";
    this.tree = element("div", { class: "sequence-tree", role: "tree", tabindex: 0, "aria-label": "Sequences",
      onkeydown: (event) => this.key(event) });
    this.panel = element("div", { class: "panel", tabindex: 0, role: "region", "aria-label": "The selected sequence" });
    this.drawn = sequences.around(0);
    this.select(0);
  }

  select(number) {
    this.selected = number;
    const isDrawn = this.drawn.has(number);
    if (!isDrawn) this.drawn = this.sequences.around(number);
    this.draw();
    this.showSelected();
    const line = document.getElementById(`sequence-${number}`);
    if (!line) return;
    const top = line.offsetTop - this.tree.clientHeight / 2;
    if (!isDrawn || line.offsetTop < this.tree.scrollTop || line.offsetTop + line.offsetHeight > this.tree.scrollTop + this.tree.clientHeight)
      this.tree.scrollTop = top;
    this.bringIntoWindow(line.getBoundingClientRect());
  }

  /** The page stays where it is if the line can be seen. */
  bringIntoWindow({ top, bottom }) {
    const frame = this.tree.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) scrollToShow(frame.top, frame.bottom);
  }

  draw() {
    this.lines = this.sequences.lines(this.drawn);
    const row = 26, step = 18;
    const at = new Map(this.lines.map((sequence, i) => [sequence.number, { x: 14 + sequence.depth * step, y: i * row + row / 2 }]));
    const edges = this.lines.flatMap((sequence) => {
      if (sequence.parent < 0) return [];
      const [from, to] = [at.get(sequence.parent), at.get(sequence.number)];
      return [shape("path", { class: "edge", d: `M${from.x} ${from.y} V${to.y} H${to.x}` })];
    });
    const dots = this.lines.map((sequence) => shape("circle", { cx: at.get(sequence.number).x, cy: at.get(sequence.number).y, r: 5,
      class: `sequence-dot ${sequence.end === "ok" ? "fine" : sequence.end === "" ? "partial" : "bad"}` }));
    const width = 28 + step * Math.max(...this.lines.map((sequence) => sequence.depth));
    const graphics = shape("svg", { class: "graphics", width, height: this.lines.length * row, "aria-hidden": "true" }, ...edges, ...dots);
    this.tree.replaceChildren(graphics, ...this.lines.map((sequence) => this.line(sequence, at.get(sequence.number).x)));
    this.tree.setAttribute("aria-activedescendant", `sequence-${this.selected}`);
  }

  line(sequence, x) {
    const hidden = sequence.children.filter((child) => !this.drawn.has(child));
    const classes = ["sequence", sequence.number === this.selected ? "selected" : "",
      this.query && this.sequences.matches(sequence, this.query) ? "match" : ""].filter(Boolean).join(" ");
    return element("div", { class: classes, role: "treeitem", id: `sequence-${sequence.number}`, "--x": `${x}px`, "aria-level": sequence.depth + 1,
      "aria-selected": String(sequence.number === this.selected), onclick: () => this.select(sequence.number) },
      element("span", { class: "sequence-number" }, `#${sequence.number + 1}`),
      sequence.end === "ok" ? "" : element("span", { class: `end ${sequence.end === "" ? "faint" : "ended"}` }, sequence.end || "given up"),
      element("span", { class: "sequence-text" }, sequence.parent < 0 ? "the first run" : sequence.text || "something that is not on this page"),
      hidden.length === 0 ? "" : button(`${hidden.length} more`, (event) => {
        event.stopPropagation();
        this.select(hidden[0]);
        this.tree.focus();
      }, { class: "jump", tabindex: -1 }));
  }

  showSelected() {
    const sequence = this.sequences.all[this.selected];
    const show = (number) => this.select(number);
    const changes = this.sequences.changes(sequence);
    this.panel.replaceChildren(element("h3", {}, `Sequence #${sequence.number + 1}`, element("span", { class: "count" }, endOf(sequence))),
      sequence.parent < 0 ? element("p", {}, "The first run, which nothing forced.") :
        element("p", {}, "Derived from ", button(`#${sequence.parent + 1}`, () => show(sequence.parent), { class: "jump" }),
          changes.length > 0 ? " by changing" : " by changing something that is not on this page"),
      element("ul", { class: "changes" }, ...changes.map(([what, to]) => element("li", {}, element("strong", {}, what), ` to ${to}`))),
      element("h4", {}, "Race table"), raceTable(this.sequences, sequence, show));
  }

  key(event) {
    const sequence = this.sequences.all[this.selected];
    const position = this.lines.indexOf(sequence);
    const at = (i) => this.lines[Math.max(0, Math.min(this.lines.length - 1, i))].number;
    const targets = { ArrowUp: () => at(position - 1), ArrowDown: () => at(position + 1), Home: () => at(0), End: () => at(Infinity),
      PageUp: () => at(position - 10), PageDown: () => at(position + 10), k: () => at(position - 1), j: () => at(position + 1),
      ArrowLeft: () => Math.max(0, sequence.parent), ArrowRight: () => sequence.children[0] ?? sequence.number };
    event.stopPropagation();
    if (!targets[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.select(targets[event.key]());
  }

  search() {
    const found = element("span", { class: "found", role: "status" });
    const nothing = this.missing > 0 ? `nothing found in the first ${this.sequences.all.length.toLocaleString("en")}` : "nothing found";
    const look = (direction) => {
      this.query = input.value.trim().toLowerCase();
      const matches = this.query ? this.sequences.all.filter((one) => this.sequences.matches(one, this.query)).map((one) => one.number) : [];
      const later = direction === 0 && matches.includes(this.selected) ? this.selected :
        direction >= 0 ? matches.find((number) => number > this.selected) : matches.findLast((number) => number < this.selected);
      if (matches.length > 0) this.select(later ?? matches.at(direction >= 0 ? 0 : -1));
      else this.draw();
      found.textContent = !this.query ? "" : matches.length === 0 ? nothing : `${matches.indexOf(this.selected) + 1} of ${matches.length}`;
    };
    const input = element("input", { type: "search", placeholder: "Search sequences", "aria-label": "Search sequences", oninput: () => look(0),
      onkeydown: (event) => {
        event.stopPropagation();
        if (event.key === "Enter") look(event.shiftKey ? -1 : 1);
        if (event.key === "Escape") { input.value = ""; look(0); this.tree.focus(); }
      } });
    return element("div", { class: "tools", role: "search" }, input, found);
  }
}

function sequencesSection(data) {
  const heading = element("h2", {}, "Sequences and race tables");
  const section = (...children) => element("section", { class: "bug sequences", id: "sequences" }, heading, ...children);
  if (data.left_out) return section(element("p", { class: "faint" }, `They are not on this page, because ${data.left_out}.`));
  const sequences = new Sequences(data);
  if (sequences.all.length === 0) return "";
  const view = new SequenceView(sequences);
  const onPage = sequences.all.length.toLocaleString("en");
  return section(
    element("p", { class: "summary" }, "Every line is a run, below the one that it was derived from by synchronizing some of its receiving " +
      "events with something else. A receiving event is the completion of a call, the receipt of a message, or a look at a variable."),
    element("p", { class: "faint" }, `${plural(data.runs, "run")} in all. `,
      view.missing > 0 ? `The first ${onPage} are on this page; nothing is kept of the ${view.missing.toLocaleString("en")} after them. ` : "",
      sequences.all.length > MOST_DRAWN ? `At most about ${MOST_DRAWN} are drawn at a time; a search looks through all ${onPage}.` : ""),
    view.search(), element("div", { class: "stage" }, view.tree, view.panel),
    data.legend.length === 0 ? "" : element("details", { class: "more" }, element("summary", {}, "Where the objects are"),
      element("dl", { class: "facts" }, ...data.legend.map(([name, where]) => element("div", {}, element("dt", {}, name), element("dd", {}, where))))));
}

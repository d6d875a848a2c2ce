// The controls above one diagram, or above two that are compared: stepping, zoom, filters and search.

class Tools {
  /** `current` tells which of the diagrams is stepped through. The rest is for all of them. */
  constructor(diagrams, current) {
    this.diagrams = diagrams;
    this.current = current;
    this.failing = diagrams[0];
    const all = (name) => [...new Set(diagrams.flatMap(({ run }) => name(run)))];
    this.threads = all((run) => run.threads);
    this.objects = all((run) => run.objects.map(({ name }) => name));
    this.element = element("div", { class: "tools", role: "toolbar", "aria-label": "View" },
      this.steps(), this.zooms(), this.filters(), this.toggles(), this.search());
    for (const diagram of diagrams) this.listen(diagram);
  }

  listen(diagram) {
    const { run } = diagram;
    const toggled = (chosen, name) => chosen.value === name ? "" : name;
    diagram.onproject = (thread) => this.project(toggled(this.thread, run.threads[thread]));
    diagram.onobject = (object) => this.chooseObject(toggled(this.object, run.objects[object].name));
    diagram.onzoom = (factor) => this.zoom(factor);
    diagram.onbug = () => this.toBug();
    diagram.ondifference = () => this.toDifference();
  }

  group(label, ...children) {
    return element("div", { class: "group", role: "group", "aria-label": label }, ...children);
  }

  steps() {
    const step = (label, title, action) => button(label, action, { title, "aria-label": title });
    return this.group("Step",
      step("First", "First event (Home)", () => this.current().step(-Infinity)),
      step("\u25b2", "Previous event (up, k)", () => this.current().step(-1)),
      step("\u25bc", "Next event (down, j)", () => this.current().step(1)),
      step("Last", "Last event (End)", () => this.current().step(Infinity)),
      this.failing.run.rows.some((row) => row.marked) ? step("to the bug", "Go to the bug (b)", () => this.toBug()) : null,
      this.failing.difference === null ? null :
        step("to the difference", "Go to where the runs part (d)", () => this.toDifference()));
  }

  toBug() {
    this.failing.select(this.failing.run.bug());
  }

  toDifference() {
    if (this.failing.difference !== null) this.failing.select(this.failing.difference);
  }

  zooms() {
    const zoom = (label, title, factor) => button(label, () => this.zoom(factor),
      { class: factor ? "" : "size", title, "aria-label": title });
    this.size = zoom("100%", "Normal size (0)", 0);
    return this.group("Zoom", zoom("\u2212", "Smaller (-)", 1 / 1.2), this.size, zoom("+", "Larger (+)", 1.2));
  }

  /** By a factor; 0 is for the normal size. */
  zoom(factor) {
    const zoom = factor ? this.current().layout.zoom * factor : 1;
    for (const diagram of this.diagrams) diagram.setZoom(zoom);
    this.size.textContent = `${Math.round(this.current().layout.zoom * 100)}%`;
    this.size.setAttribute("aria-label", `Normal size (0), now ${this.size.textContent}`);
  }

  search() {
    this.found = element("span", { class: "found", role: "status" });
    this.input = element("input", { type: "search", placeholder: "Search events  /", "aria-label": "Search events",
      oninput: () => this.searchFor(this.input.value),
      onkeydown: (event) => {
        if (event.key === "Enter") this.nextMatch(event.shiftKey ? -1 : 1);
        if (event.key !== "Escape") return;
        this.input.value = "";
        this.searchFor("");
        this.current().scroller.focus({ preventScroll: true });
      } });
    return this.group("Search", this.input, this.found);
  }

  /** All matches, those of the first diagram first. */
  matches() {
    return this.diagrams.flatMap((diagram) => diagram.query ?
      diagram.layout.shown.filter((row) => diagram.run.matches(diagram.run.rows[row], diagram.query)).map((row) => ({ diagram, row })) : []);
  }

  /** Negative, zero or positive as a match is before, at or after the selected line. */
  place({ diagram, row }) {
    return this.diagrams.indexOf(diagram) - this.diagrams.indexOf(this.current()) || row - this.current().selected;
  }

  searchFor(query) {
    for (const diagram of this.diagrams) diagram.query = query;
    const matches = this.matches();
    if (matches.some((match) => this.place(match) === 0)) this.current().select(this.current().selected);
    else this.nextMatch(1);
    for (const diagram of this.diagrams) diagram.draw();
    this.count(matches);
  }

  count(matches) {
    const at = matches.findIndex((match) => this.place(match) === 0);
    this.found.textContent = !this.current().query ? "" : matches.length === 0 ? "nothing found" :
      at < 0 ? plural(matches.length, "match").replace("matchs", "matches") : `${at + 1} of ${matches.length}`;
  }

  nextMatch(direction) {
    const matches = this.matches();
    if (matches.length === 0) return;
    const next = direction > 0 ? matches.find((match) => this.place(match) > 0) : matches.findLast((match) => this.place(match) < 0);
    const { diagram, row } = next ?? matches.at(direction > 0 ? 0 : -1);
    diagram.select(row);
    this.count(matches);
  }

  filters() {
    const options = (all, names, text) => [element("option", { value: "" }, all),
      ...names.map((name) => element("option", { value: name }, text(name)))];
    this.thread = element("select", { "aria-label": "Thread", onchange: () => this.project(this.thread.value) },
      ...options("all threads", this.threads, (name) => `only ${name}`));
    this.object = element("select", { "aria-label": "Object", onchange: () => this.chooseObject(this.object.value) },
      ...options("all objects", this.objects, (name) => name));
    this.boxes = this.threads.map((name) => element("input", { type: "checkbox", checked: true, value: name,
      onchange: () => this.chooseThreads() }));
    const menu = element("details", { class: "menu" }, element("summary", {}, "Threads"),
      element("div", { class: "choices" }, ...this.threads.map((name, i) =>
        element("label", { "--hue": hueOf(i) }, this.boxes[i], element("span", { class: "thread-name" }, name)))));
    return this.group("Filter", this.thread, menu, this.object);
  }

  /** What a diagram is to show, from what it knows of its run. The current one comes last: it says what is selected. */
  filter(change) {
    const current = this.current();
    for (const diagram of [...this.diagrams.filter((other) => other !== current), current]) diagram.setFilter(change(diagram.run));
  }

  showThreads(names) {
    this.filter((run) => ({ threads: names && numbersOf(run.threads, (name) => names.has(name)) }));
  }

  project(name) {
    this.thread.value = name;
    for (const box of this.boxes) box.checked = name === "" || box.value === name;
    this.showThreads(name === "" ? null : new Set([name]));
  }

  chooseThreads() {
    const chosen = this.boxes.filter((box) => box.checked).map((box) => box.value);
    this.thread.value = "";
    this.showThreads(chosen.length === this.boxes.length ? null : new Set(chosen));
  }

  chooseObject(name) {
    this.object.value = name;
    this.filter((run) => ({ objects: name === "" ? null : numbersOf(run.objects, (object) => object.name === name) }));
  }

  toggles() {
    const toggle = (label, title, on, change) => {
      const box = button(label, () => {
        const next = box.getAttribute("aria-pressed") !== "true";
        box.setAttribute("aria-pressed", String(next));
        for (const diagram of this.diagrams) {
          change(diagram, next);
          diagram.refresh();
        }
      }, { "aria-pressed": String(on), title });
      return box;
    };
    return this.group("Show",
      toggle("Objects", "Draw objects as columns, too", false, (diagram, on) => { diagram.layout.objectsShown = on; }),
      toggle("Arrows", "Draw what happened because of what", true, (diagram, on) => { diagram.arrowsShown = on; }));
  }

  /** Nothing is hidden any more. */
  reset() {
    this.project("");
    this.chooseObject("");
  }
}

/** The numbers of those in a list that something is true of. */
function numbersOf(list, isChosen) {
  return new Set(list.flatMap((entry, i) => isChosen(entry) ? [i] : []));
}

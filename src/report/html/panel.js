// What is known of the selected line: where it is in the source, what it read and wrote, why it happened.

class Panel {
  /** `title` tells the panels of two runs apart. */
  constructor(data, title = "") {
    this.data = data;
    this.title = title;
    this.element = element("aside", { class: "panel", tabindex: 0, "aria-label": `The selected event${title ? `: ${title}` : ""}` });
  }

  show(diagram, i) {
    const { run } = diagram;
    const row = run.rows[i];
    const jump = (target) => diagram.onjump?.(target);
    this.source = element("div", { class: "source", role: "region", "aria-label": "Source" });
    const stack = run.stackOf(row);
    const ordered = (arrow) => arrow.kind !== "race";
    const own = run.placeOf(row);
    // What happens in the same breath as an event has no place of its own.
    const before = own ? -1 : run.lastPlaced(i);
    const place = own ?? (before < 0 ? null : run.placeOf(run.rows[before]));
    this.element.replaceChildren(
      element("h3", { class: row.marked ? "bad" : "", "aria-live": "polite" },
        element("span", { class: "count" }, this.title ? `${this.title}: ` : "", row.event ? `Event ${row.event} of ${run.events}` : this.whatIs(row)),
        row.text),
      this.facts(run, row, before, jump),
      place ? this.source : "",
      ...this.arrows("Because of", run.causes[i].filter(ordered).map((arrow) => [arrow.from, arrow.kind]), run, jump),
      ...this.arrows("Leads to", run.effects[i].filter(ordered).map((arrow) => [arrow.to, arrow.kind]), run, jump),
      ...this.arrows("Races with", [...run.causes[i], ...run.effects[i]].filter((arrow) => !ordered(arrow))
        .map((arrow) => [arrow.from === i ? arrow.to : arrow.from, arrow.kind]), run, jump),
      ...this.stack(stack));
    this.showSource(place);
  }

  /** From the top of the panel to the line of the source, or to what there is instead. */
  detailBounds() {
    const last = this.element.querySelector(".here") ?? this.element.querySelector("dl");
    return { top: this.element.getBoundingClientRect().top, bottom: last.getBoundingClientRect().bottom };
  }

  whatIs(row) {
    const names = { link: "At once after the event before", pause: "Not chosen although it could go on",
      access: "Between two events", wait: "At the end of the run", failure: "The failure" };
    return names[row.kind] ?? "";
  }

  facts(run, row, before, jump) {
    const facts = [];
    const add = (name, ...what) => facts.push(element("dt", {}, name), element("dd", {}, ...what));
    add("Thread", element("span", { class: "thread-name", "--hue": hueOf(row.thread) }, run.threads[row.thread]));
    if (row.object !== undefined) {
      const { name, where } = run.objects[row.object];
      add("Object", element("code", {}, name), where ? ` (${where})` : "");
    }
    if (row.read !== undefined) add("Read", element("code", {}, row.read));
    if (row.written !== undefined) add("Wrote", element("code", {}, row.written));
    if (row.locks) add("Locks held", ...row.locks.flatMap((lock) => [element("code", {}, lock.object), " since ",
      button(this.short(run, lock.row), () => jump(lock.row), { class: "jump" }), element("br")]));
    else if (run.knowsLocks) add("Locks held", "none");
    const place = run.placeOf(row);
    if (place) add("Place", element("span", { title: place.file }, placeText(place)));
    else if (before >= 0) add("Place", "not recorded, follows ", button(run.describe(before), () => jump(before), { class: "jump" }));
    return element("dl", {}, ...facts);
  }

  short(run, i) {
    const row = run.rows[i];
    return row.event ? `event ${row.event}` : run.describe(i);
  }

  arrows(title, arrows, run, jump) {
    if (arrows.length === 0) return [];
    return [element("h4", {}, title), element("ul", { class: "arrows" }, ...arrows.map(([other, kind]) =>
      element("li", {}, element("span", { class: `swatch ${kind}` }), button(run.describe(other), () => jump(other), { class: "jump" }),
        element("span", { class: "meaning" }, title === "Because of" ? ` ${ARROWS[kind]}` : ""))))];
  }

  stack(frames) {
    if (frames.length === 0) return [];
    const entries = frames.map((frame) => element("li", {},
      button(frame.function || "?", () => this.showSource(frame), { class: "jump" }),
      element("span", { class: "place" }, `${frame.file ? placeText(frame) : ""}${frame.inlined ? " (inlined)" : ""}`)));
    return [element("h4", {}, "Call stack"), element("ol", { class: "stack" }, ...entries)];
  }

  showSource(place) {
    const lines = place && this.data.sources[place.file];
    const entries = [];
    for (let number = place ? place.line - 4 : 1; lines && number <= place.line + 4; ++number) {
      const text = lines[number];
      if (text === undefined) continue;
      entries.push(element("div", { class: number === place.line ? "here" : "" },
        element("span", { class: "line-number" }, String(number)),
        element("code", { "--indent": `${text.search(/\S|$/) + 2}ch` }, text || " ")));
    }
    if (entries.length === 0) entries.push(element("p", { class: "faint" }, place ? `${placeText(place)}: the source is not at hand.` : ""));
    this.source.replaceChildren(...(place ? [element("div", { class: "file" }, placeText(place))] : []), ...entries);
  }
}

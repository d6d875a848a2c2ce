// Two runs next to each other, from the same beginning to where they part.

class Comparison {
  constructor(failing, passing, onselect) {
    const { difference } = passing;
    this.failing = new Diagram(failing, { label: "Events of the run that fails", onselect, difference: difference?.failing });
    this.passing = new Diagram(passing, { label: "Events of the run that passes", onselect, difference: difference?.passing });
    this.diagrams = [this.failing, this.passing];
    const column = (title, classes, diagram) => element("figure", { class: classes },
      element("figcaption", {}, title), diagram.scroller);
    this.element = element("div", { class: "comparison" },
      element("p", { class: "difference-text" }, difference?.text ?? "Both runs do the same events."),
      element("div", { class: "two" }, column("This run fails", "bad", this.failing), column("This run passes", "good", this.passing)));
    this.difference = difference;
  }

  begin() {
    for (const diagram of this.diagrams) diagram.refresh();
    if (!this.difference) return;
    this.passing.select(this.difference.passing, { quiet: true });
    this.failing.select(this.difference.failing);
  }
}

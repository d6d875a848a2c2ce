// Two runs next to each other, from the same beginning to where they part. Whatever is selected in one, the line of the
// other that belongs to it is, too.

class Comparison {
  /** `oncurrent` is told which run is looked at, `onselect` that something else is selected in both. */
  constructor(failing, passing, data, { oncurrent, onselect }) {
    const { difference } = passing;
    this.oncurrent = oncurrent;
    this.onselect = onselect;
    const side = (run, title, classes, row) => {
      const diagram = new Diagram(run, { label: `Events of the run that ${title}`, onselect: (_, i) => this.selected(diagram, i),
        onfocus: () => this.mark(diagram), difference: row });
      const panel = new Panel(data, `This run ${title}`);
      panel.element.addEventListener("focusin", () => this.mark(diagram));
      return { diagram, panel, figure: element("figure", { class: classes }, element("figcaption", {}, `This run ${title}`), diagram.scroller) };
    };
    this.difference = difference;
    this.sides = [side(failing, "fails", "bad", difference?.failing), side(passing, "passes", "good", difference?.passing)];
    this.diagrams = this.sides.map(({ diagram }) => diagram);
    this.panels = this.sides.map(({ panel }) => panel);
    const other = failing.rows.findIndex((_, i) => i >= passing.rows.length || failing.describe(i) !== passing.describe(i));
    this.common = other < 0 ? failing.rows.length : other;
    this.text = element("p", { class: "difference-text" }, difference?.text ?? "Both runs do the same events.");
    this.element = element("div", { class: "two" }, ...this.sides.map(({ figure }) => figure), ...this.panels.map((panel) => panel.element));
  }

  begin() {
    for (const diagram of this.diagrams) diagram.refresh();
    this.diagrams[0].select(this.difference?.failing ?? 0);
  }

  selected(diagram, i) {
    const [own, other] = diagram === this.diagrams[0] ? this.sides : this.sides.toReversed();
    own.panel.show(diagram, i);
    other.diagram.select(this.partner(diagram, i), { quiet: true });
    other.panel.show(other.diagram, other.diagram.selected);
    this.mark(diagram);
    this.onselect();
  }

  /** The line of the other run for a line of one: the same while both do the same, then one as far from where they part. */
  partner(diagram, i) {
    if (!this.difference || i < this.common) return i;
    const { failing, passing } = this.difference;
    const [own, other, run] = diagram === this.diagrams[0] ? [failing, passing, this.diagrams[1].run] : [passing, failing, this.diagrams[0].run];
    return Math.min(run.rows.length - 1, other + Math.max(0, i - own));
  }

  /** Where there is no room for all that is known of both runs, there is for that of the current one. */
  mark(current) {
    for (const { diagram, panel, figure } of this.sides)
      for (const part of [figure, panel.element]) part.classList.toggle("current", diagram === current);
    this.oncurrent(current);
  }
}

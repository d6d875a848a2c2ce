// What was covered: the source, its lines coloured, and behind every line its pairs.

const STATES = {
  all: ["\u2713", "all pairs of the line are covered"],
  some: ["\u25d0", "some are covered"],
  none: ["\u2717", "none is covered"],
};

/** The lines of all pairs, by file and number, each with the pairs that it is part of. */
class CoveredLines {
  constructor(coverage) {
    this.files = coverage.files.map((file) => ({ name: file.name, text: new Map(file.lines), lines: new Map() }));
    for (const [firstFile, first, secondFile, second, covered] of coverage.pairs) {
      this.at(firstFile, first).then.push({ file: secondFile, line: second, covered });
      this.at(secondFile, second).after.push({ file: firstFile, line: first, covered });
    }
  }

  at(file, number) {
    const { lines } = this.files[file];
    if (!lines.has(number)) lines.set(number, { then: [], after: [] });
    return lines.get(number);
  }

  /** A pair of a line with itself is one pair. */
  static count(line, file, number) {
    const pairs = [...line.then, ...line.after.filter((pair) => pair.file !== file || pair.line !== number)];
    const covered = pairs.filter((pair) => pair.covered).length;
    return { covered, all: pairs.length, state: covered === pairs.length ? "all" : covered === 0 ? "none" : "some" };
  }
}

class CoverageView {
  constructor(coverage) {
    this.covered = new CoveredLines(coverage);
    this.sections = this.covered.files.map((file, i) => this.fileSection(file, i));
    if (this.sections.length > 0) this.sections[0].open = true;
  }

  place(file, number) {
    const name = this.covered.files[file].name;
    return number === 0 ? name : `${name.slice(name.lastIndexOf("/") + 1)}:${number}`;
  }

  fileSection(file, index) {
    const counts = [...file.lines].map(([number, line]) => CoveredLines.count(line, index, number));
    const finished = counts.filter((count) => count.state === "all").length;
    const body = element("div", { class: "covered-source" });
    const section = element("details", { class: "covered-file", ontoggle: () => {
      // What nobody looks at is not made.
      if (section.open && body.childElementCount === 0) body.append(...this.rows(file, index));
    } }, element("summary", {}, element("code", {}, file.name),
      element("span", { class: "faint" }, ` ${finished} of ${plural(counts.length, "line")} covered in all pairs`)), body);
    return section;
  }

  rows(file, index) {
    const numbers = [...new Set([...file.text.keys(), ...file.lines.keys()])].sort((a, b) => a - b);
    return numbers.flatMap((number, i) => [
      i > 0 && numbers[i - 1] + 1 < number ? element("div", { class: "gap", "aria-hidden": "true" }, "\u22ef") : "",
      file.lines.has(number) ? this.lineRow(file, index, number) : element("div", { class: "covered-line" },
        element("span", { class: "number" }, String(number)), element("span", { class: "count" }),
        element("code", {}, file.text.get(number) || " ")),
    ]).filter(Boolean);
  }

  lineRow(file, index, number) {
    const line = file.lines.get(number);
    const { covered, all, state } = CoveredLines.count(line, index, number);
    const [mark, meaning] = STATES[state];
    const list = element("div", { class: "pairs" });
    const row = element("details", { class: `covered-line ${state}`, id: `line-${index}-${number}`, ontoggle: () => {
      if (row.open && list.childElementCount === 0)
        list.append(this.pairList("and then", line.then), this.pairList("after", line.after));
    } }, element("summary", { title: meaning },
      element("span", { class: "number" }, number === 0 ? "" : String(number)),
      element("span", { class: "count" }, element("span", { "aria-hidden": "true" }, `${mark} `), `${covered}/${all}`),
      element("code", {}, file.text.get(number) || (number === 0 ? file.name : "(the source cannot be read)"))), list);
    return row;
  }

  pairList(relation, pairs) {
    if (pairs.length === 0) return "";
    const sorted = [...pairs].sort((a, b) => a.covered - b.covered || a.file - b.file || a.line - b.line);
    return element("ul", {}, ...sorted.map((pair) => element("li", { class: pair.covered ? "all" : "none" },
      element("span", { class: "mark" }, `${STATES[pair.covered ? "all" : "none"][0]} ${pair.covered ? "covered" : "not covered"}`),
      ` ${relation} `, button(this.place(pair.file, pair.line), () => this.show(pair.file, pair.line), { class: "jump" }))));
  }

  /** Opens a line and goes there. */
  show(file, number) {
    this.sections[file].open = true;
    // Sections are filled after they were opened.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const row = document.getElementById(`line-${file}-${number}`);
      row.open = true;
      row.scrollIntoView({ block: "center" });
      row.querySelector("summary").focus();
    }));
  }
}

function coverageSection(coverage) {
  const view = new CoverageView(coverage);
  const facts = [["Covered", coverage.covered], ["Not covered", coverage.uncovered], ["Estimated", coverage.estimated],
    ["Found later", coverage.found_later], ["Infeasible", coverage.infeasible], ["Executions", coverage.executions]];
  return element("section", { class: "bug coverage", id: "coverage" },
    element("h2", {}, `Coverage of ${coverage.criterion}`), element("p", { class: "summary" }, `${coverage.headline}.`),
    element("dl", { class: "facts" }, ...facts.map(([name, value]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, value.toLocaleString("en"))))),
    element("ul", { class: "legend", "aria-label": "What the colours mean" }, ...Object.entries(STATES).map(([state, [mark, text]]) =>
      element("li", {}, element("span", { class: `sample ${state}` }, mark), text))),
    ...view.sections);
}

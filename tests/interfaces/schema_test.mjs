// The summary and SARIF are what their schemas say, both in the approved files and in what real explorations write; and
// the schemas would notice if they were not.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { test } from "node:test";

const work = process.env.NORN_INTERFACE_TESTS;
const source = process.env.NORN_SOURCE;
const require = createRequire(join(work, "package.json"));
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const list = (directory, ending) =>
  readdirSync(directory).filter((name) => name.endsWith(ending)).map((name) => join(directory, name));

const addFormats = require("ajv-formats");
const validators = { summary: new (require("ajv/dist/2020"))({ allErrors: true, allowUnionTypes: true, strictTypes: false }),
  // A pattern of the published schema is only a pattern without Unicode.
  sarif: new (require("ajv-draft-04"))({ allErrors: true, strict: false, unicodeRegExp: false }) };
for (const validator of Object.values(validators)) addFormats(validator);

const schemas = join(work, "node_modules/@microsoft/jest-sarif/lib/schemas");
const summary = validators.summary.compile(read(join(source, "docs/summary.schema.json")));
const sarif = validators.sarif.compile(read(join(schemas, "sarif-2.1.0-rtm.5.json")));

function expectValid(validate, value) {
  assert.ok(validate(value), JSON.stringify(validate.errors?.slice(0, 5), null, 2));
}

const approved = join(source, "tests/unit/report/approved");
const summaries = list(join(work, "files"), ".summary.json");
const logs = [...list(join(work, "files"), ".sarif.json"), ...list(join(approved, "sarif"), ".json")];

/** Approved files have a word in place of the version. */
const withVersion = (value) => ({ ...value, norn: value.norn === "VERSION" ? "1.2.3" : value.norn });

for (const file of [...summaries, ...list(join(approved, "json"), ".json")])
  test(`${basename(file)} is a summary`, () => expectValid(summary, withVersion(read(file))));

// Whoever reads the schema finds everything that can be in a summary.
for (const file of summaries)
  test(`all of ${basename(file)} is described`, () => {
    const { properties } = read(join(source, "docs/summary.schema.json"));
    assert.deepEqual(Object.keys(read(file)).filter((key) => !(key in properties)), []);
  });

for (const file of logs) {
  test(`${basename(file)} is SARIF`, () => expectValid(sarif, read(file)));

  // Rules of the standard that a schema cannot express; the numbers are those of its sections.
  test(`${basename(file)} keeps what SARIF says in words`, () => {
    const [run, ...others] = read(file).runs;
    assert.deepEqual(others, []);
    const rules = run.tool.driver.rules;
    assert.equal(new Set(rules.map((rule) => rule.id)).size, rules.length, "3.19.23: identifiers of rules are unique");
    for (const rule of rules) assert.ok(rule.shortDescription.text.length > 0);
    for (const result of run.results) {
      assert.equal(rules[result.ruleIndex].id, result.ruleId, "3.27.6: the index is that of the rule");
      assert.ok(result.locations.length === 1 && result.locations[0].physicalLocation, "a result is somewhere");
      const ids = (result.relatedLocations ?? []).map((location) => location.id);
      assert.equal(new Set(ids).size, ids.length, "3.28.2: identifiers of locations are unique");
      const places = [...result.locations, ...(result.relatedLocations ?? [])];
      for (const flow of result.codeFlows ?? []) {
        const orders = [];
        for (const thread of flow.threadFlows) {
          const own = thread.locations.map((step) => step.executionOrder);
          assert.deepEqual(own, [...own].sort((a, b) => a - b), "3.38.11: in the order of time");
          orders.push(...own);
          places.push(...thread.locations.map((step) => step.location));
        }
        assert.ok(orders.every((order) => order > 0) && new Set(orders).size === orders.length);
      }
      for (const place of places.map((location) => location.physicalLocation).filter(Boolean)) {
        const { uri, uriBaseId } = place.artifactLocation;
        assert.equal(uriBaseId === undefined, uri.startsWith("file:///"), "3.4.4: what is relative has a base");
        assert.ok(uriBaseId === undefined || run.originalUriBaseIds[uriBaseId].uri.endsWith("/"), "3.14.14");
      }
    }
  });
}

test("there are reports of all kinds", () => {
  const verdicts = new Set(summaries.map((file) => read(file).verdict).filter(Boolean));
  assert.deepEqual(verdicts, new Set(["pass", "bug", "incomplete"]));
  assert.ok(read(join(work, "files/coverage.summary.json")).coverage.requirements.length > 0);
  assert.ok(read(join(work, "files/reported.sarif.json")).runs[0].results.every((result) => result.level === "warning"));
});

test("the schema of the summary notices what is wrong", () => {
  const right = read(join(work, "files/deadlock.summary.json"));
  expectValid(summary, right);
  const wrong = [{ verdict: "perhaps" }, { executions: -1 }, { bugs: [] }, { bugs: [{}] }, { complete: "yes" },
    { reasons: "none" }, { verdict: "pass" }, { bugs: [{ ...right.bugs[0], kind: "other" }] },
    { bugs: [{ ...right.bugs[0], location: "nowhere" }] }];
  for (const change of wrong) assert.ok(!summary({ ...right, ...change }), JSON.stringify(change));
  for (const key of ["norn", "verdict", "executions", "bugs"]) {
    const { [key]: _, ...rest } = right;
    assert.ok(!summary(rest), `without ${key}`);
  }
});

test("the schema of SARIF notices what is wrong", () => {
  const right = read(join(work, "files/deadlock.sarif.json"));
  expectValid(sarif, right);
  const wrong = structuredClone(right);
  wrong.runs[0].results[0].level = "fatal";
  assert.ok(!sarif(wrong));
});

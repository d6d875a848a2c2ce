// What readers of a report do: step, filter, search, compare, in light and dark, on wide and narrow screens.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { close, heading, labels, launch, open, selected, work } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

/** A test with a report in a page of its own, which must not complain. */
function look(title, report, options, body) {
  test(title, async () => {
    const page = await open(browser, report, options);
    await body(page);
    assert.deepEqual(page.problems, []);
    await close(page);
  });
}

/** Where the first of these is, found out in one step: a diagram may be drawn anew between two. */
const box = (page, selector) =>
  page.evaluate((one) => document.querySelector(one).getBoundingClientRect().toJSON(), selector);

const ring = ["starts main/1:23", "starts main/2:24", "lock alice.mutex:15", "paused", "lock bob.mutex:15",
  "join main/1:25", "lock bob.mutex: held by main/2:16", "lock alice.mutex: held by main/1:16"];

look("the verdict and the story are on top", "bank", {}, async (page) => {
  assert.match(await page.locator("h1").textContent(), /^Bug 1 bug found in 2 executions$/);
  assert.match(await page.locator(".bug .summary").textContent(), /Each waits for the other/);
  assert.match(await page.locator(".facts").textContent(), /Executions2.*Strategyauto/);
  assert.match(await page.locator(".command").textContent(), /norn replay .*bank_transfer-1.trace/);
});

look("a diagram has all lines, and begins at the bug", "bank", {}, async (page) => {
  assert.deepEqual(await labels(page), ring);
  assert.match(await selected(page), /main\/2 lock alice.mutex: held by main\/1/);
  assert.equal(await page.locator(".arrow.held").count(), 2);
  assert.equal(await page.locator(".arrow.create").count(), 2);
});

look("a recorded run is drawn like a checked one", "shown", {}, async (page) => {
  assert.deepEqual(await labels(page), ring);
});

look("keys step from event to event", "bank", {}, async (page) => {
  const keys = async (...names) => { for (const name of names) await page.keyboard.press(name); return selected(page); };
  assert.match(await keys("Home"), /main starts main\/1/);
  assert.match(await keys("j", "ArrowDown"), /event 1: main\/1 lock alice.mutex/);
  assert.match(await heading(page), /Event 1 of 2/);
  assert.match(await keys("k"), /main starts main\/2/);
  assert.match(await keys("ArrowRight"), /main join main\/1/);
  assert.match(await keys("ArrowLeft"), /main starts main\/2/);
  assert.match(await keys("End"), /held by main\/1/);
  assert.match(await keys("Home", "b"), /held by main\/1/);
  const active = await page.locator(".scroller").getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`[id="${active}"]`).getAttribute("aria-selected"), "true");
});

look("the panel shows source, locks and causes, and leads to them", "bank", {}, async (page) => {
  const panel = page.locator(".panel");
  assert.match(await panel.locator(".here").textContent(), /16.*lock_to/);
  assert.match(await panel.textContent(), /Locks heldbob.mutex since event 2/);
  assert.match(await panel.locator(".stack").textContent(), /transfer/);
  await panel.locator(".arrows .jump").first().click();
  assert.match(await selected(page), /event 1: main\/1 lock alice.mutex/);
});

look("threads and objects can be filtered", "bank", {}, async (page) => {
  await page.getByLabel("Thread", { exact: true }).selectOption({ label: "only main/1" });
  assert.deepEqual(await labels(page), [ring[2], ring[3], ring[6]]);
  await page.getByLabel("Thread", { exact: true }).selectOption({ label: "all threads" });
  await page.getByLabel("Object", { exact: true }).selectOption({ label: "alice.mutex" });
  assert.deepEqual(await labels(page), [ring[2], ring[7]]);
  await page.getByLabel("Object", { exact: true }).selectOption({ label: "all objects" });
  await page.locator(".menu summary").click();
  await page.getByLabel("main/2", { exact: true }).uncheck();
  assert.equal((await labels(page)).length, 6);
});

look("objects are columns if one likes", "bank", {}, async (page) => {
  await page.getByRole("button", { name: "Objects" }).click();
  assert.deepEqual(await page.locator(".heading.object").allTextContents(), ["alice.mutex", "bob.mutex"]);
  assert.equal(await page.locator(".touched").count(), 4);
});

look("a search marks what it finds and goes there", "bank", {}, async (page) => {
  await page.keyboard.press("Home");
  await page.keyboard.press("/");
  await page.keyboard.type("bob");
  assert.equal(await page.locator(".line.match").count(), 2);
  assert.equal(await page.locator(".found").textContent(), "1 of 2");
  await page.keyboard.press("Enter");
  assert.match(await selected(page), /lock bob.mutex: held/);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".line.match").count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.className), "scroller");
});

look("a passing run stands beside the failing one", "bank", {}, async (page) => {
  await page.getByRole("button", { name: "Side by side" }).click();
  assert.match(await page.locator(".difference-text").textContent(), /the same up to event 1\. Then main\/2 goes on/);
  assert.deepEqual(await page.locator(".line.difference .label").allTextContents(), ["lock bob.mutex:15", "lock bob.mutex:16"]);
});

look("both runs are stepped through, and the details of both are shown", "bank", {}, async (page) => {
  await page.getByRole("button", { name: "Side by side" }).click();
  const both = () => page.locator(".line.selected").evaluateAll((all) => all.map((line) => line.getAttribute("aria-label")));
  const details = () => page.locator(".panel h3").allTextContents();
  assert.deepEqual(await both(), ["event 2: main/2 lock bob.mutex :15", "event 2: main/1 lock bob.mutex :16"]);
  assert.deepEqual(await details(), ["This run fails: Event 2 of 2lock bob.mutex", "This run passes: Event 2 of 4lock bob.mutex"]);
  // What is the same is selected in both, whichever is stepped through.
  await page.getByRole("listbox", { name: "the run that passes" }).focus();
  for (const key of ["Home", "j"]) await page.keyboard.press(key);
  assert.deepEqual(await both(), ["main starts main/2 :24", "main starts main/2 :24"]);
  await page.keyboard.press("b");
  assert.match((await both())[0], /main\/2 lock alice.mutex: held by main\/1/);
  await page.keyboard.press("d");
  assert.match((await both())[1], /event 2: main\/1 lock bob.mutex/);
  assert.equal(await page.locator(".panel .here").count(), 2);
});

look("two runs are searched, filtered and zoomed together", "bank", {}, async (page) => {
  await page.getByRole("button", { name: "Side by side" }).click();
  const inBoth = (selector) => page.locator(".scroller").evaluateAll((all, what) => all.map((one) => one.querySelectorAll(what).length), selector);
  await page.keyboard.press("/");
  await page.keyboard.type("bob");
  const [failing, passing] = await inBoth(".line.match");
  assert.ok(failing > 0 && passing > 0);
  assert.equal(await page.locator(".found").textContent(), `1 of ${failing + passing}`);
  for (let i = 1; i <= failing; ++i) await page.keyboard.press("Enter");
  assert.equal(await page.locator("figure.current figcaption").textContent(), "This run passes");
  await page.keyboard.press("Escape");
  await page.getByLabel("Thread", { exact: true }).selectOption({ label: "only main/1" });
  assert.deepEqual(await inBoth(".heading.thread"), [1, 1]);
  await page.keyboard.press("-");
  assert.equal(await page.locator(".size").textContent(), "83%");
  const heights = await page.locator(".scroller").evaluateAll((all) => all.map((one) => one.querySelector(".line").offsetHeight));
  assert.equal(heights[0], heights[1]);
});

look("where two runs part can be read on a narrow screen", "bank", { width: 400, height: 800 }, async (page) => {
  await page.getByRole("button", { name: "Side by side" }).click();
  await page.keyboard.press("d");
  const cut = await page.locator(".line.difference .label").evaluateAll((all) => all.filter((label) => {
    const [text, frame] = [label.firstChild, label.closest(".scroller")].map((part) => {
      const range = document.createRange();
      range.selectNode(part);
      return range.getBoundingClientRect();
    });
    return text.left < frame.left || text.right > frame.right || text.top < 0 || text.bottom > innerHeight;
  }).map((label) => label.textContent));
  assert.deepEqual(cut, []);
  for (const part of [".panel:not(.current) .here", ".panel.current .here"]) assert.ok(await inWindow(page, part), `${part} is outside`);
});

look("a race is among what threads do to each other", "race", {}, async (page) => {
  assert.match(await page.locator(".bug .summary").textContent(), /main\/1 writes all\+8 .*main\/2 reads it/);
  assert.deepEqual(await labels(page), ["starts main/1:20", "starts main/2:21", "writes all+8:18", "joins main/1:22",
    "reads all+8:18", "joins main/2:23"]);
  assert.equal(await page.locator(".arrow.race").count(), 1);
  await page.keyboard.press("Home");
  assert.match(await page.locator(".panel .here").textContent(), /20.*std::thread lower/);
});

look("what has no place of its own is shown where its thread was before", "minimised", {}, async (page) => {
  await page.keyboard.press("Home");
  for (let i = 0; i < 20 && !/paused/.test(await selected(page)); ++i) await page.keyboard.press("j");
  assert.match(await selected(page), /paused/);
  assert.match(await page.locator(".panel dl").textContent(), /Placenot recorded, follows event \d+: main\/\d/);
  const before = await page.locator(".panel .here").textContent();
  await page.locator(".panel dl .jump").click();
  assert.doesNotMatch(await selected(page), /paused/);
  assert.equal(await page.locator(".panel .here").textContent(), before);
});

look("a use after free names the block and who freed it", "freed", {}, async (page) => {
  assert.match(await page.locator(".bug .summary").textContent(), /main freed a heap block .*main\/1 then atomically reads/);
  assert.deepEqual(await page.locator(".line.marked .label").allTextContents(), ["frees 16 bytes:30", "atomically reads #2:26"]);
  assert.match(await page.locator(".panel dl").textContent(), /Object#2 \(at offset 8 in the heap block of 16 bytes allocated by main/);
});

look("what was minimised is shown as it was found, too", "minimised", {}, async (page) => {
  const tabs = page.locator(".tabs button");
  assert.deepEqual((await tabs.allTextContents()).map((text) => text.replace(/^Passing run .*/, "Passing run")),
    ["Minimised (9 events, 1 preemption)", "As found (9 events, 2 preemptions)", "Passing run", "Side by side"]);
  const paused = async () => (await labels(page)).filter((text) => text === "paused").length;
  assert.equal(await paused(), 1);
  await tabs.nth(1).click();
  assert.equal(await paused(), 2);
  assert.equal(await tabs.nth(1).getAttribute("aria-pressed"), "true");
  assert.match(await selected(page), /assertion `counter.hits\(\) == 4` failed/);
});

look("all threads can be seen on a narrow screen", "minimised", { width: 400, height: 850 }, async (page) => {
  assert.equal(await page.locator(".scroller").evaluate((scroller) => scroller.scrollLeft), 0);
  await page.locator(".scroller").press("Home");
  for (let i = 0; i < 5; ++i) await page.keyboard.press("j");
  const [label, frame] = [await box(page, ".line.selected .label"), await box(page, ".scroller")];
  assert.ok(label.x + 100 < frame.x + frame.width, "nothing can be read of the selected line");
});

look("a diagram can be zoomed", "bank", {}, async (page) => {
  const height = async () => (await box(page, ".line")).height;
  const usual = await height();
  await page.keyboard.press("+");
  assert.ok(await height() > usual);
  assert.equal(await page.locator(".size").textContent(), "120%");
  await page.keyboard.press("0");
  assert.equal(await height(), usual);
  assert.equal(await page.locator(".size").textContent(), "100%");
});

look("names do not lie on each other however small the diagram is", "threads", {}, async (page) => {
  await page.getByRole("button", { name: "Objects" }).click();
  for (let i = 0; i < 6; ++i) await page.keyboard.press("-");
  assert.equal(await page.locator(".size").textContent(), "35%");
  // How far apart the lines are that the names are written on, and how wide names are that lie level.
  const names = await page.locator(".heading").evaluateAll((all) => all.map((name) => {
    const { fontSize, transform } = getComputedStyle(name);
    return { object: name.matches(".object"), left: name.offsetLeft, width: name.offsetWidth, size: parseFloat(fontSize),
      slope: Math.abs(new DOMMatrix(transform).b) };
  }));
  names.slice(1).forEach((name, i) => {
    const apart = name.left - names[i].left;
    assert.ok(name.slope > 0 ? apart * name.slope >= name.size : apart >= name.width, `name ${i + 1} is ${apart} pixels from the next`);
  });
});

look("arrows of different kinds look different", "threads", {}, async (page) => {
  const looks = await page.locator(".legend .swatch").evaluateAll((all) => all.map((swatch) => {
    const { borderTopStyle, borderTopColor } = getComputedStyle(swatch);
    return `${borderTopStyle} ${borderTopColor}`;
  }));
  assert.ok(looks.length > 2);
  assert.equal(new Set(looks).size, looks.length, looks.join(", "));
});

look("everything can be done without a mouse", "bank", {}, async (page) => {
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  const reached = new Set();
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent));
  }
  for (const name of ["Search events", "Thread", "Object", "Objects", "Side by side", "Next event (down, j)"])
    assert.ok([...reached].some((text) => text.startsWith(name)), `${name} cannot be reached`);
});

look("keys that scroll do so unless they are meant for the diagram", "long", { height: 600 }, async (page) => {
  const scrolled = () => page.evaluate(() => scrollY);
  const at = await selected(page);
  await page.getByRole("button", { name: "Objects" }).focus();
  const before = await scrolled();
  for (const key of ["PageDown", "ArrowDown", "ArrowUp", "Home", "End"]) await page.keyboard.press(key);
  await page.waitForFunction((y) => scrollY > y, before);
  assert.equal(await selected(page), at);
  // A letter steps all the same.
  await page.keyboard.press("k");
  assert.notEqual(await selected(page), at);
  await page.locator(".scroller").focus();
  await page.keyboard.press("Home");
  assert.match(await selected(page), /starts main\/1/);
  // Nothing has the focus, and the diagram is not to be seen.
  await page.evaluate(() => { document.activeElement.blur(); document.body.style.paddingTop = "2000px"; scrollTo(0, 0); });
  const isTaken = () => page.evaluate(() => !document.body.dispatchEvent(new KeyboardEvent("keydown",
    { key: "PageDown", bubbles: true, cancelable: true })));
  assert.ok(!await isTaken());
  assert.match(await selected(page), /starts main\/1/);
  await page.evaluate(() => document.querySelector(".scroller").scrollIntoView());
  assert.ok(await isTaken());
});

look("what passes says so", "pass", {}, async (page) => {
  assert.match(await page.locator("h1").textContent(), /^Pass Every one of/);
  assert.equal(await page.locator(".scroller").count(), 0);
});

look("every bug has a section, which is made when it is opened", "several", {}, async (page) => {
  const bugs = await page.locator("details.bug").count();
  assert.ok(bugs > 1);
  assert.equal(await page.locator(".scroller").count(), 1);
  await page.locator("details.bug > summary").nth(1).click();
  await page.locator(".scroller").nth(1).waitFor();
  assert.equal(await page.locator(".contents li").count(), bugs);
});

look("what programs say is text and nothing else", "hostile", {}, async (page) => {
  await page.locator(".more > summary").last().click();
  assert.match(await page.title(), /hostile.cpp/);
  assert.match(await page.locator(".bug .summary").textContent(), /<\/script><img src=x onerror=/);
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.locator("script").count(), 2);
});

look("a thread that does nothing has a column", "idle", {}, async (page) => {
  assert.deepEqual(await page.locator(".heading.thread").allTextContents(), ["main", "main/1", "main/2"]);
  assert.equal(await page.locator(".arrow.create").count(), 2);
  assert.ok(!(await labels(page)).some((text) => text.startsWith("main/1")));
  await page.locator(".heading.thread", { hasText: "main/1" }).click();
  assert.match(await page.locator(".scroller").textContent(), /There is no such line in this run/);
});

look("the facts have all of a line of source", "idle", {}, async (page) => {
  await page.locator(".more > summary", { hasText: "The facts behind it" }).click();
  assert.match(await page.locator(".more pre").first().textContent(), /assert\(count != 1 .* the last word of it matters"\);/);
});

look("thirty threads have thirty columns", "threads", {}, async (page) => {
  assert.equal(await page.locator(".heading.thread").count(), 30);
  await page.keyboard.press("Home");
  for (let i = 0; i < 40; ++i) await page.keyboard.press("j");
  const [line, frame] = [await box(page, ".line.selected .label"), await box(page, ".scroller")];
  assert.ok(line.x >= frame.x && line.x < frame.x + frame.width && line.y > frame.y && line.y < frame.y + frame.height);
});

/** Texts that are hard to read, with their contrast to what is behind them (WCAG 2, at least 4.5). */
const faintTexts = (page) => page.evaluate(() => {
  const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminance = (colour) => {
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...brush.getImageData(0, 0, 1, 1).data].map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (!/^rgba\(.*, 0\)$/.test(backgroundColor)) return backgroundColor;
    }
    return "white";
  };
  const contrast = (element) => {
    const [low, high] = [getComputedStyle(element).color, behind(element)].map(luminance).sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const says = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  return [...document.querySelectorAll("body *")].filter((element) => says(element) && element.checkVisibility())
    .map((element) => [element, contrast(element)]).filter(([, value]) => value < 4.5)
    .map(([element, value]) => `${element.className} "${element.textContent}": ${value.toFixed(2)}`);
});

for (const report of ["threads", "bank", "many_sequences", "covered"]) {
  look(`all text of ${report} can be read in light and dark`, report, {}, async (page) => {
    if (report === "bank") await page.getByRole("button", { name: "Side by side" }).click();
    if (await page.locator(".menu").count()) await page.locator(".menu > summary").click();
    if (await page.getByRole("searchbox").count()) await page.getByRole("searchbox").first().fill("lock");
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      // Buttons take a moment to change their colour.
      await page.waitForTimeout(200);
      assert.deepEqual(await faintTexts(page), [], colorScheme);
    }
  });
}

look("ten thousand events stay fluid", "long", {}, async (page) => {
  assert.match(await page.locator(".tabs, .panel").allTextContents().then((texts) => texts.join(" ")), /The failure/);
  await page.keyboard.press("k");
  assert.ok(await page.locator(".line").count() < 120, "lines that cannot be seen are in the document");
  const steps = async (on) => {
    const begin = Date.now();
    for (let i = 0; i < 50; ++i) await on.keyboard.press("k");
    return Date.now() - begin;
  };
  // However busy the machine is: not much slower than a diagram of eight lines.
  const small = await open(browser, "bank");
  const [few, many] = [await steps(small), await steps(page)];
  await close(small);
  assert.ok(many < 5 * few + 500, `50 steps took ${many} ms, and ${few} ms where there is hardly anything to draw`);
  await page.keyboard.press("Home");
  await page.getByLabel("Search events").fill("9876");
  assert.match(await page.locator(".found").textContent(), /^1 of \d+$/);
  await page.locator(".scroller").evaluate((scroller) => { scroller.scrollTop = scroller.scrollHeight / 2; });
  await page.waitForTimeout(100);
  assert.ok(await page.locator(".line").count() > 10);
});

/** Whether all of the first such element is in the window. */
const inWindow = (page, selector) => page.locator(selector).first().evaluate((element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
});

for (const [width, height] of [[1280, 900], [1280, 720], [400, 800]]) {
  look(`what is selected is in a window of ${width} by ${height} pixels`, "long", { width, height }, async (page) => {
    assert.equal(await page.evaluate(() => scrollY), 0, "the verdict is what one sees first");
    // A narrow window has room for the verdict or for the diagram.
    if (width > 400) assert.ok(await inWindow(page, ".line.selected"), "the bug is outside when the page is opened");
    const steps = { back: ["k", "k", "k"], search: ["/", ..."1234"], first: ["Escape", "Home", ..."jjjjjjjjjj"], bug: ["b"] };
    for (const [what, keys] of Object.entries(steps)) {
      for (const key of keys) await page.keyboard.press(key);
      assert.ok(await inWindow(page, ".line.selected"), `the selected line is outside after ${what}`);
      assert.ok(await inWindow(page, ".panel .here"), `its source is outside after ${what}`);
      assert.ok(what !== "search" || await inWindow(page, "input[type=search]"), "what is typed is outside");
    }
  });
}

const sequence = (page) => page.locator(".sequence.selected .sequence-number").textContent();

look("sequences are a tree, and each has its race table", "sequences", {}, async (page) => {
  // Two messages race for each of two ports. That of main/2 to port_3 depends on what main/2 receives first, so the two
  // races cannot be changed at once: after the first was, the second one is another.
  const lines = await page.locator(".sequence").allTextContents();
  const first = "main/2, 1st event: receive: main/4: 1st message to port_2";
  const second = "main/3, 1st event: receive: main/2: 1st message to port_3";
  assert.deepEqual(lines, ["#1the first run", `#2${second}`, `#3${first}`, `#4${second}`]);
  assert.deepEqual(await page.locator(".sequence").evaluateAll((all) => all.map((line) => line.ariaLevel)), ["1", "2", "2", "3"]);
  const table = page.locator(".race-table table");
  // Both receive in two places, and a place in Norn's own headers would help nobody.
  assert.deepEqual(await table.locator("thead th").allTextContents(), ["main/2, 1st event: receive", "main/3, 1st event: receive"]);
  assert.deepEqual(await table.locator("tbody tr").allTextContents(), [
    "happenedmain/1: 1st message to port_2main/4: 1st message to port_3",
    "could be insteadmain/4: 1st message to port_2main/2: 1st message to port_3",
    "#2 not changedmain/2: 1st message to port_3", "#3 main/4: 1st message to port_2not changed"]);
  await table.locator(".jump", { hasText: "#3" }).click();
  assert.equal(await sequence(page), "#3");
  assert.match(await page.locator(".sequences .panel").textContent(),
    /Sequence #3ends wellDerived from #1 by changingmain\/2, 1st event: receive to main\/4: 1st message to port_2/);
  assert.deepEqual(await table.locator(".jump").allTextContents(), ["#4"]);
});

look("sequences are stepped through by keys", "sequences", {}, async (page) => {
  const tree = page.locator(".sequence-tree");
  await tree.focus();
  const keys = async (...names) => { for (const name of names) await page.keyboard.press(name); return sequence(page); };
  assert.equal(await keys("ArrowDown"), "#2");
  assert.equal(await keys("End"), "#4");
  assert.equal(await keys("ArrowLeft"), "#3");
  assert.equal(await keys("ArrowLeft"), "#1");
  assert.equal(await keys("ArrowRight"), "#2");
  const active = await tree.getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`[id="${active}"]`).getAttribute("aria-selected"), "true");
});

look("the selected sequence is in the window", "many_sequences", { height: 600 }, async (page) => {
  await page.getByLabel("Search sequences").fill("#1987");
  assert.ok(await inWindow(page, ".sequence.selected"));
  assert.ok(await inWindow(page, "[aria-label='Search sequences']"));
  await page.locator(".sequence-tree").focus();
  await page.evaluate(() => scrollTo(0, 0));
  await page.keyboard.press("End");
  assert.ok(await inWindow(page, ".sequence.selected"));
});

look("what is not drawn of many sequences is found", "many_sequences", {}, async (page) => {
  assert.match(await page.locator(".sequences").textContent(), /2,520 runs in all\. The first 2,000 are on this page; nothing is kept of the 520 after them\. .* a search looks through all 2,000\./);
  await page.getByLabel("Search sequences").fill("#2100");
  assert.equal(await page.locator(".sequences .found").textContent(), "nothing found in the first 2,000");
  assert.ok(await page.locator(".sequence").count() <= 300);
  await page.getByLabel("Search sequences").fill("#1987");
  assert.equal(await sequence(page), "#1987");
  assert.equal(await page.locator(".sequences .found").textContent(), "1 of 1");
  assert.ok(await page.locator(".sequence").count() <= 300);
  const [line, frame] = [await box(page, ".sequence.selected"), await box(page, ".sequence-tree")];
  assert.ok(line.y >= frame.y && line.y + line.height <= frame.y + frame.height, "it cannot be seen");
  await page.getByLabel("Search sequences").fill("event on lock: main/");
  assert.match(await page.locator(".sequences .found").textContent(), /^\d+ of 1999$/);
  const more = page.locator(".sequence .jump").first();
  await more.click();
  assert.ok(await page.locator(".sequence").count() <= 300);
});

look("why there are no sequences is said", "shared_sequences", {}, async (page) => {
  assert.match(await page.locator(".sequences").textContent(), /not on this page, because several processes shared the exploration/);
});

for (const report of ["covered", "coverage"]) {
  look(`the source is coloured by what is covered: ${report}`, report, {}, async (page) => {
    const section = page.locator(".coverage");
    assert.match(await section.locator(".summary").first().textContent(), /^\d+ of \d+ sync pairs are covered\.$/);
    const [covered, uncovered] = (await section.locator(".facts dd").allTextContents()).map((text) => Number(text.replace(",", "")));
    assert.ok(covered > 0 && uncovered > 0);
    const lines = section.locator("details.covered-line");
    assert.equal(await lines.locator("li").count(), 0);
    // Files and the pairs of lines are listed when somebody looks.
    await page.waitForFunction(() => {
      const all = [...document.querySelectorAll(".coverage details")];
      for (const details of all) details.open = true;
      return all.some((details) => details.matches(".covered-line")) &&
        all.every((details) => details.querySelector("li, .covered-line"));
    });
    // Every pair is counted at both of its lines, and once where these are the same.
    let atLines = 0;
    for (const { count, state, listed } of await lines.evaluateAll((all) => all.map((line) => ({
      count: line.querySelector(".count").textContent, state: line.classList[1],
      listed: [...line.querySelectorAll("li")].map((pair) => pair.textContent) })))) {
      const [some, all] = count.match(/(\d+)\/(\d+)/).slice(1).map(Number);
      assert.equal(state, some === all ? "all" : some === 0 ? "none" : "some");
      atLines += listed.length;
      assert.ok(listed.length >= all);
      assert.equal(listed.some((text) => text.includes("not covered")), some < all);
    }
    assert.equal(atLines, 2 * (covered + uncovered));
    assert.match(await lines.first().locator("code").first().textContent(), /lock/i);
  });
}

look("lines lead to the lines of their pairs by keyboard", "coverage", {}, async (page) => {
  const line = page.locator("details.covered-line.some, details.covered-line.none").first();
  await line.locator("summary").focus();
  await page.keyboard.press("Enter");
  const jump = line.locator(".jump").first();
  const target = (await jump.textContent()).split(":")[1];
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "jump");
  await page.keyboard.press("Enter");
  await page.waitForFunction((number) => document.activeElement.parentElement.id.endsWith(`-${number}`), target);
  assert.ok(await page.evaluate(() => document.activeElement.parentElement.open));
});

look("names in a coverage file are text and nothing else", "hostile_coverage", {}, async (page) => {
  assert.match(await page.title(), /hostile_coverage.json/);
  await page.locator(".covered-file > summary").nth(1).click();
  assert.match(await page.locator(".covered-file").allTextContents().then((texts) => texts.join(" ")), /<\/script><img src=x/);
  assert.equal(await page.locator("img").count(), 0);
});

for (const [width, height, schemes] of [[1280, 900, ["light", "dark"]], [400, 850, ["dark", "light"]]]) {
  for (const report of ["bank", "threads", "race", "hostile", "long", "pass", "covered", "many_sequences"]) {
    look(`${report} fits ${width} pixels`, report, { width, height, colorScheme: schemes[0] }, async (page) => {
      mkdirSync(`${work}/screenshots`, { recursive: true });
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${work}/screenshots/${report}-${width}-${colorScheme}.png`, fullPage: true });
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is too wide");
        const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const brightness = Number(background.match(/\d+/)[0]);
        assert.equal(brightness < 128, colorScheme === "dark");
      }
    });
  }
}

look("the colours can be changed", "bank", {}, async (page) => {
  await page.locator("#theme").click();
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
});

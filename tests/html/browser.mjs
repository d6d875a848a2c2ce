// A browser with a report in it, and what tests ask it.
import { createRequire } from "node:module";
import path from "node:path";

export const work = process.env.NORN_HTML_TESTS;
const { chromium } = createRequire(`${work}/`)("playwright-core");

/** A browser that may not reach anything but files. */
export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--proxy-server=127.0.0.1:9"] });
}

/** A page that notes whatever goes wrong in it. */
async function newPage(browser) {
  const page = await browser.newPage();
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => { if (message.type() === "error") page.problems.push(message.text()); });
  page.on("request", (request) => { if (!request.url().startsWith("file:")) page.problems.push(request.url()); });
  return page;
}

// A new page is a new process of the browser, which takes longer than most of what is done with it.
const unused = [];

/** A report, opened from the disk. */
export async function open(browser, name, { width = 1280, height = 900, colorScheme = "light" } = {}) {
  const page = unused.pop() ?? await newPage(browser);
  page.problems = [];
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  await page.goto(`file://${path.join(work, "reports", `${name}.html`)}`);
  if (await page.locator(".scroller").count()) await page.locator(".line.selected").first().waitFor();
  return page;
}

/** For the next one, who finds nothing of what was done with it. */
export async function close(page) {
  await page.evaluate(() => localStorage.clear());
  unused.push(page);
}

/** What the selected line says, with its thread. */
export async function selected(page) {
  const line = page.locator(".scroller").first().locator(".line.selected");
  return (await line.count()) === 0 ? "" : line.getAttribute("aria-label");
}

export const labels = (page) => page.locator(".scroller").first().locator(".line .label").allTextContents();
export const heading = (page) => page.locator(".panel h3").textContent();

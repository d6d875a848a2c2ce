// Elements from text. Whatever a program calls its threads, objects and files is only ever text here: nothing is
// parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) node.style.setProperty(name, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

/** An HTML element. Attributes that begin with "on" are listeners, those that begin with "--" custom properties. */
function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
function shape(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function button(label, action, attributes = {}) {
  return element("button", { type: "button", onclick: action, ...attributes }, label);
}

function plural(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

function placeText(place) {
  if (!place) return "";
  return place.file ? `${place.file.slice(place.file.lastIndexOf("/") + 1)}:${place.line}` : place.function;
}

/** Calls a function at most once before the next picture is drawn. */
function oncePerFrame(action) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      action();
    });
  };
}

/** Hues of OKLCH, where all colours of one lightness can be read alike; neighbours differ most. */
const HUES = [255, 50, 150, 305, 200, 10, 95, 275, 125, 340];
const hueOf = (thread) => HUES[thread % HUES.length];

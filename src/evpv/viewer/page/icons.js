/** The page's icons: 24 × 24 outlines in the colour of the text around them. Shapes differ, so that colour is never needed. */

import { s } from "./dom.js";

const PATHS = {
  supported: ["M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18z", "M8 12.3l2.8 2.8L16.2 9.4"],
  contradicted: ["M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3z", "M9 9l6 6", "M15 9l-6 6"],
  missing: [
    "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18z",
    "M9.6 9.6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.2.9-1.2 1.7",
    "M12 16.6v.1",
  ],
  unparsed: [
    "M4 12a8 8 0 0 1 1-4",
    "M8 5a8 8 0 0 1 8 0",
    "M19 8a8 8 0 0 1 0 8",
    "M16 19a8 8 0 0 1-8 0",
    "M5 16a8 8 0 0 1-1-4",
    "M9 12h6",
  ],
  eye: [
    "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z",
    "M12 9.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 0 0 0-5.6z",
  ],
  reasoning: ["M12 3l9.5 17h-19z", "M12 9.5v5", "M12 17.2v.1"],
  right: ["M4.5 12.8l4.8 4.7L19.5 7"],
  wrong: ["M6 6l12 12", "M18 6L6 18"],
  swap: ["M7 4L3.5 7.5L7 11", "M3.5 7.5H17", "M17 13l3.5 3.5L17 20", "M20.5 16.5H7"],
  search: ["M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13z", "M15.5 15.5L20.5 20.5"],
  previous: ["M14.5 5.5L8 12l6.5 6.5"],
  next: ["M9.5 5.5L16 12l-6.5 6.5"],
  down: ["M5.5 9.5L12 16l6.5-6.5"],
  plus: ["M12 5v14", "M5 12h14"],
  minus: ["M5 12h14"],
  fit: ["M4 9V4h5", "M20 9V4h-5", "M4 15v5h5", "M20 15v5h-5"],
  sun: [
    "M12 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8z",
    "M12 2.5v2",
    "M12 19.5v2",
    "M2.5 12h2",
    "M19.5 12h2",
    "M5.3 5.3l1.4 1.4",
    "M17.3 17.3l1.4 1.4",
    "M5.3 18.7l1.4-1.4",
    "M17.3 6.7l1.4-1.4",
  ],
  moon: ["M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z"],
  auto: ["M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 0 0 0-17z", "M12 3.5v17", "M12 8h7", "M12 12h8.5", "M12 16h7"],
  columns: ["M4 5h6.5v14H4z", "M13.5 5H20v14h-6.5z"],
  sliders: ["M4 8h9", "M17 8h3", "M15 6v4", "M4 16h3", "M11 16h9", "M9 14v4"],
  box: ["M4 8V4h4", "M20 8V4h-4", "M4 16v4h4", "M20 16v4h-4", "M9 9h6v6H9z"],
  link: ["M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1", "M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1"],
  trophy: [
    "M8 4h8v5a4 4 0 0 1-8 0z",
    "M8 5.5H4.5A3.5 3.5 0 0 0 8 9.5",
    "M16 5.5h3.5A3.5 3.5 0 0 1 16 9.5",
    "M12 13v4",
    "M8.5 20h7",
    "M12 17v3",
  ],
};

/** @param {string} name @param {string} [label] said by screen readers; without one the icon is ornament */
export function icon(name, label) {
  const said = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return s(
    "svg",
    { class: `icon icon-${name}`, viewBox: "0 0 24 24", ...said },
    PATHS[name].map((d) => s("path", { d })),
  );
}

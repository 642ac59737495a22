"use strict";
// The explorer: the results of any threshold and any costs of errors. All of it comes from the data in the page, and
// everything shown is set as text, never as markup.
(() => {
  const explorer = document.getElementById("explorer");
  if (!explorer) return;

  const { systems, classes, largest } = JSON.parse(document.getElementById("explorer-data").textContent);
  const [slider, miss, alarm] = ["threshold", "miss", "alarm"].map((name) => document.getElementById(`explorer-${name}`));
  const [spots, cells, lines, marks, charts] = ["show", "cell", "line", "mark", "chart"].map(elementsBy);
  const RATES = ["precision", "recall", "f1"];
  const WIDTH = 390, HEIGHT = 176; // of a chart, within its axes
  const STEPS = Number(slider.max), PAGE = 10; // of the slider, and stops that PageUp goes
  let system = systems[0], stop = 0, moved = false;

  function elementsBy(key) {
    return Object.fromEntries([...explorer.querySelectorAll(`[data-${key}]`)].map((each) => [each.dataset[key], each]));
  }

  // Counts, and what they cost: NaN if a cost is not valid.
  const price = (text) => (text && Number(text) >= 0 && Number(text) <= 1e9 ? Number(text) : NaN);

  function countsAt(i) {
    const tp = system.tp[i], fp = system.fp[i];
    return { tp, fp, fn: system.positives - tp, tn: system.negatives - fp };
  }

  function costsOfAll() {
    const [misses, alarms] = [miss.value, alarm.value].map(price);
    const cost = ({ fn, fp }) => (1000 * (fn * misses + fp * alarms)) / (system.positives + system.negatives);
    const each = system.stops.map((_, i) => cost(countsAt(i)));
    const least = Math.min(...each), most = Math.max(...each);
    const neverAlarm = cost({ fn: system.positives, fp: 0 }), alwaysAlarm = cost({ fn: 0, fp: system.negatives });
    // Among thresholds that cost the same, the highest is named: it raises the fewest alarms.
    return { each, least, most, cheapest: each.lastIndexOf(least), neverAlarm, alwaysAlarm };
  }

  // Words and numbers.
  const show = (name, text) => { spots[name].textContent = text; };
  const tell = (name, text, more) => { show(name, text); show(`${name}-more`, more); };
  const written = (x, format) => (Number.isNaN(x) ? "–" : x.toLocaleString("en-US", format));
  const amount = (x) => written(x, { maximumSignificantDigits: 4 });
  const brief = (x) => written(x, { maximumSignificantDigits: 3, notation: "compact" });
  const count = (x) => written(x, { minimumFractionDigits: Number.isInteger(x) ? 0 : 1, maximumFractionDigits: 1 });
  const several = (x, one, more) => `${count(x)} ${x === 1 ? one : more}`;
  const alarmsOf = ({ fp }) => several(fp, "false alarm", "false alarms");

  // Charts: stops lie at their thresholds on a linear axis, as on the slider, and heights go from 0 to 1.
  const x = (i) => Math.round(10 * WIDTH * system.places[i]) / 10;
  const y = (height) => Math.round(10 * HEIGHT * (1 - height)) / 10;

  function line(name, heights, close = "") {
    const known = heights.map((height) => !Number.isNaN(height)); // where a rate is undefined, its line has a gap
    const steps = heights.map((height, i) => (known[i] ? `${known[i - 1] ? "L" : "M"}${x(i)} ${y(height)}` : ""));
    lines[name].setAttribute("d", known.includes(true) ? steps.join("") + close : "");
  }

  function mark(name, i, height) {
    const inside = height >= 0 && height <= 1;
    marks[name].setAttribute("display", inside ? "inline" : "none");
    if (inside) marks[name].setAttribute("transform", `translate(${x(i)} ${y(height)})`);
  }

  function roundedUp(most) {
    const unit = 10 ** Math.floor(Math.log10(most)) / 2;
    return most === 0 ? 1 : unit * Math.ceil(most / unit);
  }

  // What is shown at a stop.
  function showCounts(at, threshold) {
    const rows = { tp: system.positives, fn: system.positives, fp: system.negatives, tn: system.negatives };
    for (const [name, row] of Object.entries(rows)) {
      const share = row ? at[name] / row : 0;
      show(name, count(at[name]));
      show(`${name}-share`, row ? `${Math.round(100 * share)}% of row` : "–");
      const wrong = name === "fn" || name === "fp"; // errors are shaded as in the tables of errors
      const depth = wrong ? Math.min(Math.sqrt(share / largest), 1) : share;
      cells[name].className = `${cells[name].classList[0]} q${Math.ceil(10 * depth)}`;
    }
    const isolated = (text) => `\u2068${text}\u2069`; // whichever direction it is written in
    const found = `finds ${count(at.tp)} of ${count(system.positives)} “${isolated(classes[1])}”`;
    show("summary", `At ${threshold}, ${isolated(system.name)} ${found}, with ${alarmsOf(at)}.`);
  }

  function showRates(i) {
    for (const name of RATES) {
      const heights = system[name].map(([value]) => Number(value)); // a dash is not a number
      tell(name, ...system[name][i]);
      line(name, heights);
      mark(name, i, heights[i]);
    }
    const said = RATES.map((name) => `${name} ${system[name][i][0]}`).join(", ");
    charts.rates.setAttribute("aria-label", `Lines over all thresholds; at ${system.stops[i]}: ${said}.`);
  }

  function showCosts(at, i) {
    const { each, least, most, cheapest, neverAlarm, alwaysAlarm } = costsOfAll();
    const valid = !Number.isNaN(least), differ = least < most, noModel = Math.min(neverAlarm, alwaysAlarm);
    const errors = `${several(at.fn, "miss", "misses")} at ${amount(price(miss.value))}, ${alarmsOf(at)} at ${amount(price(alarm.value))}`;
    tell("cost", amount(each[i]), valid ? errors : "a cost must be a number from 0 to a billion");
    tell("cheapest", differ ? system.stops[cheapest] : "–", differ ? `would cost ${amount(least)}` : valid ? "all cost the same" : "");
    tell("no-model", amount(noModel), valid ? (neverAlarm <= alwaysAlarm ? "never an alarm" : "always an alarm") : "");
    // Costs far above the no-model baseline may run off the chart, so that the rest can be seen.
    const top = roundedUp(noModel > 0 ? Math.min(most, 2 * noModel) : most);
    line("cost", each.map((cost) => cost / top));
    line("area", each.map((cost) => cost / top), `V${HEIGHT}H0Z`);
    line("no-model", each.map(() => noModel / top));
    mark("cost", i, each[i] / top);
    mark("cheapest", cheapest, differ ? least / top : NaN);
    for (const part of [0, 1, 2]) show(`cost-${part}`, brief((top * part) / 2));
    charts.cost.setAttribute("aria-label", `A line over all thresholds: ${amount(each[i])} at this one, lowest ${amount(least)}.`);
  }

  function update() {
    const i = stop, at = countsAt(i), threshold = system.stops[i];
    slider.setAttribute("aria-valuetext", threshold);
    show("threshold", threshold);
    showCounts(at, threshold);
    showRates(i);
    showCosts(at, i);
    for (const each of explorer.querySelectorAll(".chosen")) each.setAttribute("transform", `translate(${x(i)} 0)`);
  }

  // What readers do.
  const nearest = (values, to) => values.reduce((best, value, i) => (Math.abs(value - to) < Math.abs(values[best] - to) ? i : best), 0);

  function goTo(i) {
    stop = Math.min(Math.max(i, 0), system.stops.length - 1);
    slider.value = Math.round(STEPS * system.places[stop]);
    update();
  }

  // Keys go from stop to stop, however close they lie; dragging finds the nearest.
  function press(event) {
    const last = system.stops.length - 1;
    const to = {
      ArrowRight: stop + 1, ArrowUp: stop + 1, ArrowLeft: stop - 1, ArrowDown: stop - 1,
      PageUp: stop + PAGE, PageDown: stop - PAGE, Home: 0, End: last,
    }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moved = true;
    goTo(to);
  }

  function choose(place) {
    const before = Number(system.stops[stop]);
    system = systems[place];
    const kept = moved ? nearest(system.stops.map(Number), before) : system.start; // a threshold the reader chose is kept
    for (const axis of explorer.querySelectorAll("[data-axis]")) {
      axis.setAttribute("display", axis.dataset.axis === String(place) ? "inline" : "none");
    }
    goTo(kept);
  }

  for (const radio of document.getElementsByName("explorer-system")) radio.addEventListener("change", () => choose(radio.value));
  slider.addEventListener("input", () => { moved = true; stop = nearest(system.places, slider.value / STEPS); update(); });
  slider.addEventListener("change", () => goTo(stop));
  slider.addEventListener("keydown", press);
  for (const input of [miss, alarm]) input.addEventListener("input", update);
  document.getElementById("explorer-off").hidden = true;
  explorer.hidden = false;
  choose(0);
})();

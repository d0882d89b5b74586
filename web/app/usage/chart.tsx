import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import { formatCompact, formatCount } from "../../ui/format.ts";
import { onThemeChange } from "../../ui/theme.tsx";
import { nameOfSlot, type RollUp, seriesOf, shortNameOfSlot } from "./roll-up.ts";
import "uplot/dist/uPlot.min.css";
import "./chart.css";

const HEIGHT_PX = 260;
/** Half a label of the axis: the last one is centred below the last bar. */
const RIGHT_PX = 24;
const BESIDE = "beside";

/** Bars per day or hour, stacked by group, refused calls beside them. Its numbers stand in the legend for the day pointed at. */
export function UsageChart({ shown }: { readonly shown: RollUp }) {
  const frame = useRef<HTMLDivElement>(null);
  const [day, setDay] = useState<number | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    return drawChart(element, shown, setDay);
  }, [shown]);
  const label = `Calls per ${shown.unit}, ${nameOfSlot(shown.days[0] ?? "")} to ${nameOfSlot(shown.days.at(-1) ?? "")}; the table says the same`;
  return (
    <figure className="chart">
      <Legend shown={shown} day={day} />
      <div className="chart-frame" ref={frame} role="img" aria-label={label} />
    </figure>
  );
}

function Legend({ shown, day }: { readonly shown: RollUp; readonly day: number | null }) {
  const { unit, days, beside, total } = shown;
  const at = (counts: readonly number[], sum: number): string =>
    formatCount(day === null ? sum : (counts[day] ?? 0));
  const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
  return (
    <figcaption className="chart-legend">
      <span className="chart-legend-day">{day === null ? `All ${unit}s` : nameOfSlot(days[day] ?? "")}</span>
      {seriesOf(shown).map(({ id, name, perDay }, index) => (
        <span key={id} className="chart-legend-entry">
          <i className={`swatch series-${index + 1}`} data-series={index} aria-hidden="true" />
          {name} <b>{at(perDay, sumOf(perDay))}</b>
        </span>
      ))}
      {sumOf(beside) > 0 && (
        <span className="chart-legend-entry">
          <i className="swatch swatch-beside" data-series={BESIDE} aria-hidden="true" />
          Refused or failed <b>{at(beside, total.refused + total.failed)}</b>
        </span>
      )}
    </figcaption>
  );
}

/** Draws, and follows width and theme until it is told to stop. */
function drawChart(element: HTMLElement, shown: RollUp, onDay: (day: number | null) => void): () => void {
  const colourOf = colourReader(element);
  const plot = new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT_PX,
      padding: [8, RIGHT_PX, 0, 0],
      legend: { show: false },
      scales: { x: { time: false, range: [-0.6, shown.days.length - 0.4] }, y: { range: yRange } },
      axes: axesOf(shown.days, colourOf),
      series: barsOf(shown, colourOf),
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      hooks: { setCursor: [({ cursor }) => onDay(cursor.idx ?? null)] },
    },
    dataOf(shown),
    element,
  );
  const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
  sizes.observe(element);
  // Bars keep their colours until their paths are made again, and paper waits for no frame.
  const forget = onThemeChange(() => plot.redraw());
  return () => {
    sizes.disconnect();
    forget();
    plot.destroy();
  };
}

const LEAST_TOP = 4;
const yRange = (_plot: uPlot, _min: number, max: number): [number, number] => [
  0,
  Math.max(LEAST_TOP, max * 1.06),
];

/** Colours as the style sheet has them for the theme in force, by the swatches of the legend. */
function colourReader(element: HTMLElement): (series: string) => string {
  const legend = element.closest(".chart");
  return (series) => {
    const swatch = legend?.querySelector(`[data-series="${series}"]`) ?? element;
    return getComputedStyle(swatch).color;
  };
}

function axesOf(days: readonly string[], colourOf: (series: string) => string): uPlot.Axis[] {
  const shared = {
    stroke: () => colourOf("text"),
    font: "12px system-ui, sans-serif",
    ticks: { show: false },
  };
  return [
    {
      ...shared,
      grid: { show: false },
      incrs: days[0]?.includes("T") === true ? [1, 2, 3, 4, 6, 12] : [1, 2, 7, 14, 28],
      space: 64,
      values: (_plot, splits) =>
        splits.map((at) => (days[at] === undefined ? "" : shortNameOfSlot(days[at]))),
    },
    {
      ...shared,
      size: 44,
      grid: { stroke: () => lineOf(colourOf("text")), width: 1 },
      incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6],
      values: (_plot, splits) => splits.map(formatCompact),
    },
  ];
}

const lineOf = (colour: string): string => `color-mix(in srgb, ${colour} 18%, transparent)`;

/** Each bar is drawn from the ground to the sum up to its group: the tallest first, the others over it. */
function barsOf(shown: RollUp, colourOf: (series: string) => string): uPlot.Series[] {
  const hasBeside = shown.beside.some((count) => count > 0);
  const bars = uPlot.paths.bars;
  const stack = bars?.({ size: [hasBeside ? 0.5 : 0.66, 36], align: hasBeside ? -1 : 0 });
  const thin = bars?.({ size: [0.18, 12], align: 1 });
  const points = { show: false };
  const stacked = seriesOf(shown);
  const groups = stacked.map((_, index) => {
    const fill = () => colourOf(String(stacked.length - 1 - index));
    return { fill, width: 0, points, ...(stack && { paths: stack }) };
  });
  const beside = { fill: () => hatch(colourOf(BESIDE)), width: 0, points, ...(thin && { paths: thin }) };
  return [{}, ...groups, ...(hasBeside ? [beside] : [])];
}

function dataOf(shown: RollUp): uPlot.AlignedData {
  const { days, beside } = shown;
  const sums: number[][] = [];
  for (const { perDay } of seriesOf(shown)) {
    const below = sums.at(-1);
    sums.push(perDay.map((count, day) => count + (below?.[day] ?? 0)));
  }
  const extra = beside.some((count) => count > 0) ? [[...beside]] : [];
  return [days.map((_, at) => at), ...sums.toReversed(), ...extra];
}

const HATCH_PX = 6;

/** Stripes: what was refused differs by more than its colour. */
function hatch(colour: string): CanvasPattern | string {
  const tile = document.createElement("canvas");
  tile.width = HATCH_PX;
  tile.height = HATCH_PX;
  const context = tile.getContext("2d");
  if (context === null) return colour;
  context.strokeStyle = colour;
  context.lineWidth = 2.5;
  context.beginPath();
  for (const from of [-HATCH_PX, 0, HATCH_PX]) {
    context.moveTo(from, HATCH_PX);
    context.lineTo(from + HATCH_PX, 0);
  }
  context.stroke();
  return context.createPattern(tile, "repeat") ?? colour;
}

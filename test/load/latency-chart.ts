/** Draws a latency histogram as SVG: requests by latency on a logarithmic scale, with lines at the percentiles. */
import { bucketStart, countAll, type LatencyHistogram, percentile } from "./latency-histogram.ts";

const [WIDTH, HEIGHT] = [880, 360];
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 20, 64, 48];
/** Of the histogram's buckets in one bar. */
const BUCKETS_PER_BAR = 4;
const MARKED_PERCENTS = [50, 95, 99, 99.9];

interface Bar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

function toBars({ counts }: LatencyHistogram): Bar[] {
  const bars: Bar[] = [];
  for (let index = 0; index < counts.length; index += BUCKETS_PER_BAR) {
    const count = counts.slice(index, index + BUCKETS_PER_BAR).reduce((sum, each) => sum + each, 0);
    bars.push({ from: bucketStart(index), to: bucketStart(index + BUCKETS_PER_BAR), count });
  }
  const first = bars.findIndex(({ count }) => count > 0);
  return first < 0 ? [] : bars.slice(first, bars.findLastIndex(({ count }) => count > 0) + 1);
}

/** `title`: one line about the run. */
export function drawLatencies(histogram: LatencyHistogram, title: string): string {
  const bars = toBars(histogram);
  const [least, most] = [bars[0]?.from ?? 1, bars.at(-1)?.to ?? 10];
  const highest = Math.max(1, ...bars.map(({ count }) => count));
  const x = (milliseconds: number) =>
    LEFT + (Math.log(milliseconds / least) / Math.log(most / least)) * (WIDTH - LEFT - RIGHT);
  const y = (count: number) => HEIGHT - BOTTOM - (count / highest) * (HEIGHT - TOP - BOTTOM);
  const drawn = bars.map(({ from, to, count }) => {
    const [left, top] = [x(from), y(count)];
    const [width, height] = [Math.max(0.5, x(to) - left - 1), HEIGHT - BOTTOM - top];
    const tip = `<title>${format(from)} to ${format(to)} ms: ${count} requests</title>`;
    return `<rect x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" fill="#4477aa">${tip}</rect>`;
  });
  const lines = MARKED_PERCENTS.map((percent, i) => {
    const at = percentile(histogram, percent);
    const place = x(Math.min(Math.max(at, least), most)).toFixed(1);
    const label = `<text x="${place}" y="${TOP - 8 - (i % 2) * 14}" text-anchor="middle">p${percent} ${format(at)}</text>`;
    return `<line x1="${place}" x2="${place}" y1="${TOP}" y2="${HEIGHT - BOTTOM}" stroke="#aa3377" stroke-dasharray="3 3"/>${label}`;
  });
  const ticks = listTicks(least, most).map(
    (at) => `<text x="${x(at).toFixed(1)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${format(at)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">`,
    `<title>${escapeText(title)}</title><rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    `<text x="${LEFT}" y="20" font-size="14">${escapeText(title)}</text>`,
    ...drawn,
    ...lines,
    `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM}" stroke="black"/>`,
    ...ticks,
    `<text x="${LEFT - 6}" y="${TOP + 4}" text-anchor="end">${highest}</text>`,
    `<text x="${WIDTH / 2}" y="${HEIGHT - 10}" text-anchor="middle">milliseconds; ${countAll(histogram)} requests</text>`,
    "</svg>",
    "",
  ].join("\n");
}

/** 1, 2 and 5 of each decade between. */
function listTicks(least: number, most: number): number[] {
  const ticks: number[] = [];
  for (let decade = Math.floor(Math.log10(least)); decade <= Math.log10(most); decade++)
    for (const step of [1, 2, 5]) {
      const at = step * 10 ** decade;
      if (at >= least && at <= most) ticks.push(at);
    }
  return ticks;
}

const format = (milliseconds: number): string => `${Number(milliseconds.toPrecision(3))}`;

const escapeText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

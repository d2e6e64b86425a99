/** Requests by hour or day as bars; the figures are in the tables below it. */
import { writeDay, writeTime } from "../times.ts";
import type { Span } from "./span.ts";
import type { Bar } from "./summary.ts";

const HEIGHT = 96;
const [BAR, GAP] = [20, 6];

const nameOf = (start: number, step: Span["step"]): string => (step === "day" ? writeDay(start) : writeTime(start));

export function BarPicture({ bars, step }: { bars: readonly Bar[]; step: Span["step"] }) {
  const most = bars.reduce((max, { requests }) => Math.max(max, requests), 1);
  const busiest = bars.find(({ requests }) => requests === most);
  const width = bars.length * (BAR + GAP);
  const heightOf = (requests: number) => (requests / most) * HEIGHT;
  const label = `Requests by ${step}: at most ${most.toLocaleString("en")}, ${step === "day" ? "on" : "from"} ${nameOf(busiest?.start ?? 0, step)} on`;
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <>
      <svg class="bars" viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
        {bars.map(({ requests, refused }, i) => (
          <>
            <rect
              x={i * (BAR + GAP)}
              y={HEIGHT - heightOf(requests)}
              width={BAR}
              height={heightOf(requests)}
              class="all"
            />
            <rect
              x={i * (BAR + GAP)}
              y={HEIGHT - heightOf(refused)}
              width={BAR}
              height={heightOf(refused)}
              class="no"
            />
          </>
        ))}
      </svg>
      {first && last && (
        <p class="muted small ends">
          <span>{nameOf(first.start, step)}</span>
          <span>below, in red: not ok</span>
          <span>{nameOf(last.start, step)}</span>
        </p>
      )}
    </>
  );
}

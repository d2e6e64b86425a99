/** The small parts that pages share. */
import type { Child } from "hono/jsx";
import { relativeTime } from "../platform/clock.ts";
import type { Instant } from "../platform/instant.ts";
import type { Reader } from "./page.ts";
import { writeDay, writeSecond, writeTime } from "./wording.ts";

/** What programs call the thing whose words stand before it: for operators. */
export const Code = ({ children }: { children: string }) => <code class="muted wire">{children}</code>;

/** What is of use to programmers: in sight of operators, and one click away for a bank's staff. */
export const ForPrograms = ({ title, children }: { title: string; children?: Child }) => (
  <details class="apart wire">
    <summary>{title}</summary>
    {children}
  </details>
);

/** A page as its reader is to see it: an operator each {@link Code} and {@link ForPrograms}, a bank's staff only the words. */
export const fitTo = (reader: Reader | null, page: string): string =>
  reader?.kind === "operator"
    ? page.replaceAll('<details class="apart wire"', "$& open")
    : page.replaceAll(/<code class="muted wire">[^<]*<\/code>/g, "");

/** A name and its value, in a list of facts. */
export const Fact = ({ name, children }: { name: string; children?: Child }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

interface TimeProps {
  readonly at: Instant | string;
  /** Before it. */
  readonly words?: string;
  readonly seconds?: true;
}

/** In UTC; console.js writes the reader's own time beside it, or after the title of an age. A text is ISO 8601. */
export const Time = ({ at, words, seconds }: TimeProps) => (
  <>
    {words && `${words} `}
    <time datetime={new Date(at).toISOString()}>{seconds ? writeSecond(at) : writeTime(at)}</time>
  </>
);

/** A text is ISO 8601. */
export const Age = ({ time, now }: { time: Instant | string; now: Instant }) => (
  <time datetime={new Date(time).toISOString()} title={writeTime(time)}>
    {relativeTime(time, now)}
  </time>
);

/** Not a part of a number, a name or an address: none of its characters touches it. */
const WRITTEN = /(?<![\w./-])(\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?)(?![\w/-])/;

/** A sentence of an answer, such as a warning, with its days and instants in the form of the pages. */
export const writeDates = (sentence: string) => (
  <>
    {sentence.split(WRITTEN).map((part, i) => {
      if (i % 2 === 0 || Number.isNaN(Date.parse(part))) return part;
      return part.includes("T") ? <Time at={part} /> : writeDay(part);
    })}
  </>
);

interface HeadsProps {
  /** Of columns. */
  readonly heads: readonly string[];
  /** Of columns of numbers. */
  readonly numbers?: readonly string[];
  /** Of columns whose cells are plain without: on a phone they do not say it. */
  readonly plain?: readonly string[];
  /** The rows can be acted on: that column is last, and its head is only read aloud. */
  readonly acts?: boolean;
}

const Heads = ({ heads, numbers = [], plain = [], acts = false }: HeadsProps) => (
  <thead>
    <tr>
      {heads.map((head) => (
        <th scope="col" class={numbers.includes(head) ? "number" : plain.includes(head) ? "plain" : undefined}>
          {head}
        </th>
      ))}
      {acts && (
        <th scope="col">
          <span class="out">What can be done</span>
        </th>
      )}
    </tr>
  </thead>
);

/** A table that scrolls by itself where it is wider than the page, by keyboard, too. `label`: of what its rows are. */
export const RowTable = ({ label, children, ...heads }: HeadsProps & { label: string; children?: Child }) => (
  <section class="scroll" aria-label={`${label}, one row each`} tabindex={0}>
    <table>
      <Heads {...heads} />
      <tbody>{children}</tbody>
    </table>
  </section>
);

/** A link that looks like a button, in a line of its own. */
export const LinkButton = ({ href, children }: { href: string; children?: Child }) => (
  <p>
    <a class="button second" href={href}>
      {children}
    </a>
  </p>
);

/** `ended`: of what is over, and nobody has to care for. */
export type State = "yes" | "no" | "warn" | "unknown" | "ended";

/** A tick in a circle, a cross in an octagon, an exclamation mark in a triangle, a question mark in a square, a bar in a circle. */
const SHAPES: Readonly<Record<State, readonly [outline: string, sign: string]>> = {
  yes: ["M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1z", "M4.75 8.25 7 10.5l4.25-5"],
  no: ["M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z", "m5.5 5.5 5 5m0-5-5 5"],
  warn: ["M8 1.25 15.25 14.5H.75z", "M8 6v4m0 1.75v.5"],
  ended: ["M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1z", "M5 8h6"],
  unknown: [
    "M2.5 1.5h11a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1z",
    "M6 6.25C6 3.5 10.25 3.9 10 6.4 9.9 7.7 8 7.8 8 9.5m0 1.75v.5",
  ],
};

function Shape({ state }: { state: State }) {
  const [outline, sign] = SHAPES[state];
  return (
    <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true" focusable="false">
      <path d={outline} fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" />
      <path
        d={sign}
        fill="none"
        stroke="currentColor"
        stroke-width="1.75"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

export const Mark = ({ state, children }: { state: State; children?: Child }) => (
  <span class={`state ${state}`}>
    {/* one item beside the shape, whatever it is made of: it wraps as a sentence */}
    <Shape state={state} /> <span>{children}</span>
  </span>
);

interface SecretProps {
  readonly name: string;
  readonly secret: string;
  /** Further facts. */
  readonly children?: Child;
  readonly back: Child;
}

/** A secret that was made now, and that no page shows again. */
export const SecretCard = ({ name, secret, children, back }: SecretProps) => (
  <section class="card">
    <p class="notice warn">
      <span>Copy the secret now. No page shows it again, this one neither.</span>
    </p>
    <dl class="facts">
      <Fact name={name}>
        <code id="secret">{secret}</code>{" "}
        <button type="button" class="quiet" data-copy="secret" hidden>
          Copy the secret
        </button>
      </Fact>
      {children}
    </dl>
    <p>{back}</p>
  </section>
);

/** What a form sends that nobody types. */
export const HiddenFields = ({ values }: { values: Readonly<Record<string, string>> }) => (
  <>
    {Object.entries(values).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);

/** Nothing without a problem. */
export const Problem = ({ children }: { children?: Child }) =>
  children === null || children === undefined ? null : (
    <p class="notice no" role="alert" id="problem">
      <span>{children}</span>
    </p>
  );

/** What the form before has done, read aloud; nothing without it. */
export const Said = ({ children }: { children?: Child }) =>
  children === undefined ? null : (
    <p class="notice yes" role="status">
      <span>{children}</span>
    </p>
  );

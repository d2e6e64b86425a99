/**
 * The text of metrics: OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/), or Prometheus's older text
 * format 0.0.4, which `promtool check metrics` reads. They differ in the name of a counter's family and at the end. Pure.
 */

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  /** A counter's without `_total`, which its samples get; a histogram's without `_bucket`. */
  readonly name: string;
  readonly type: "gauge" | "counter" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

export type TextForm = "OpenMetrics" | "Prometheus";

export const CONTENT_TYPES: Readonly<Record<TextForm, string>> = {
  OpenMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  Prometheus: "text/plain; version=0.0.4; charset=utf-8",
};

/** As Prometheus asks for it; whoever does not ask gets the older form, which every tool reads. */
export const formFor = (accept: string | undefined): TextForm =>
  accept?.includes("application/openmetrics-text") ? "OpenMetrics" : "Prometheus";

const SUFFIXES = { gauge: "", counter: "_total", histogram: "_bucket" } as const;

const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');

/** Families without a sample are left out. */
export function writeMetrics(families: readonly Family[], form: TextForm): string {
  const lines = families
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, type, help, samples }) => {
      const sampled = name + SUFFIXES[type];
      const family = form === "Prometheus" && type === "counter" ? sampled : name;
      const head = [`# HELP ${family} ${escapeHelp(help)}`, `# TYPE ${family} ${type}`];
      return [...head, ...samples.map(({ labels, value }) => `${sampled}${writeLabels(labels)} ${value}`)];
    });
  return `${[...lines, ...(form === "OpenMetrics" ? ["# EOF"] : [])].join("\n")}\n`;
}

function writeLabels(labels: Sample["labels"]): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** Cumulative buckets, as both forms want them. `counts` has one more member than `bounds`, for what is above the last. */
export function bucketsOf(
  labels: Sample["labels"],
  bounds: readonly number[],
  counts: readonly number[],
): readonly Sample[] {
  let sum = 0;
  return counts.map((count, i) => {
    sum += count;
    return { labels: { ...labels, le: i < bounds.length ? String(bounds[i]) : "+Inf" }, value: sum };
  });
}

/**
 * Reads a text of metrics as strictly as Prometheus does, and more: a family has its HELP and TYPE once and before its samples,
 * which stand together; no sample twice; names, labels and numbers have their form; buckets grow and end at +Inf. Throws at
 * the first line that breaks a rule.
 */
export interface ReadFamily {
  readonly type: string;
  readonly help: string;
  readonly samples: Map<string, number>;
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`);

export function readMetrics(text: string, form: "OpenMetrics" | "Prometheus"): ReadonlyMap<string, ReadFamily> {
  const lines = text.split("\n");
  if (lines.pop() !== "") throw new Error("the last line does not end");
  if ((lines.at(-1) === "# EOF") !== (form === "OpenMetrics")) throw new Error("# EOF ends OpenMetrics, and it alone");
  if (form === "OpenMetrics") lines.pop();
  const families = new Map<string, ReadFamily>();
  let last: { name: string; help: string } | null = null;
  let current: { sampled: string; family: ReadFamily } | null = null;
  for (const line of lines) {
    const [, kind, name = "", rest = ""] = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`).exec(line) ?? [];
    if (kind === "HELP") {
      last = { name, help: rest };
    } else if (kind === "TYPE") {
      if (last?.name !== name || families.has(name)) throw new Error(`no HELP before, or twice: ${line}`);
      const family = { type: rest, help: last.help, samples: new Map() };
      families.set(name, family);
      current = { sampled: sampledName(name, rest, form), family };
    } else {
      readSample(line, current);
    }
  }
  for (const [name, { type, samples }] of families) {
    if (samples.size === 0) throw new Error(`${name} has no sample`);
    if (type === "histogram") checkBuckets(name, samples);
  }
  return families;
}

function sampledName(name: string, type: string, form: string): string {
  if (type === "histogram") return `${name}_bucket`;
  if (type === "gauge") return name;
  if (type !== "counter") throw new Error(`${name}: no such type: ${type}`);
  if (name.endsWith("_total") !== (form === "Prometheus")) throw new Error(`${name}: a counter's name is another one`);
  return form === "Prometheus" ? name : `${name}_total`;
}

function readSample(line: string, current: { sampled: string; family: ReadFamily } | null): void {
  const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  if (current?.sampled !== name) throw new Error(`not of the family above: ${line}`);
  if (current.family.samples.has(labels)) throw new Error(`twice: ${line}`);
  const names = [...labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].map(([, label]) => label);
  if (new Set(names).size < names.length) throw new Error(`a label twice: ${line}`);
  current.family.samples.set(labels, Number(value));
}

function checkBuckets(name: string, samples: ReadonlyMap<string, number>): void {
  const series = Map.groupBy(samples, ([labels]) => labels.replace(/,?le="[^"]*"/, ""));
  for (const buckets of series.values()) {
    const bounds = buckets.map(([labels]) => Number(/le="([^"]*)"/.exec(labels)?.[1]?.replace("+Inf", "Infinity")));
    const grows = (numbers: readonly number[], by: number) =>
      numbers.every((each, i) => i === 0 || each - (numbers[i - 1] ?? 0) >= by);
    const counts = buckets.map(([, count]) => count);
    if (!(bounds.at(-1) === Number.POSITIVE_INFINITY && grows(bounds, Number.MIN_VALUE) && grows(counts, 0)))
      throw new Error(`${name}: its buckets do not grow to +Inf: ${JSON.stringify(buckets)}`);
  }
}

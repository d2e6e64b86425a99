/** What came of making an answer again: equal, the first difference, or what is missing. */
import type { Notes } from "../../evidence/replay/differences.ts";
import type { Replay } from "../../evidence/replay/replay.ts";
import { Fact, ForPrograms, Mark } from "../elements.tsx";

const EQUAL = {
  answer: "By the rules of this release and the kept documents the answer comes out the same, to the letter.",
  results:
    "By the rules of this release and the kept documents every result comes out the same, to the letter; refusals are not judged again.",
  checks: "By the rules of this release and the kept documents verdicts and decisions come out the same.",
  nothing: "There is nothing to make again: no certificate was checked for this answer.",
} as const;

const REWORDED = {
  ...EQUAL,
  answer:
    "By the rules of this release and the kept documents every verdict, decision, code and fact of a register comes out the same.",
  results:
    "By the rules of this release and the kept documents every verdict, decision, code and fact of a register comes out the same in every result; refusals are not judged again.",
} as const;

const MISSING = {
  absent: "is not kept",
  altered: "was altered: its SHA-256 is another one",
  unreadable: "cannot be read",
} as const;

const MAX_SHOWN_CHARACTERS = 300;
const write = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
};

export function ReplayResult({ replayed }: { replayed: Replay }) {
  if (!replayed.ok)
    return (
      <section class="notice warn" role="status">
        <Mark state="warn">It cannot be made again</Mark>
        <ul>
          {replayed.missing.map(({ what, sha256, reason }) => (
            <li>
              {what} <code>{sha256}</code> {MISSING[reason]}
            </li>
          ))}
        </ul>
      </section>
    );
  if (replayed.equal)
    return (
      <section class="notice yes" role="status">
        <Mark state="yes">Equal</Mark>
        <p>{replayed.notes ? REWORDED[replayed.compared] : EQUAL[replayed.compared]}</p>
        {replayed.notes && <NoteList notes={replayed.notes} />}
      </section>
    );
  const { difference, releases } = replayed;
  return (
    <section class="notice no" role="status">
      <Mark state="no">Different</Mark>
      <ForPrograms title="The first difference">
        <dl class="facts">
          <Fact name="At">
            <code>{difference.path}</code>
          </Fact>
          <Fact name={`Recorded by release ${releases.recorded}`}>
            <code>{write(difference.recorded)}</code>
          </Fact>
          <Fact name={`Now, by release ${releases.replayed}`}>
            <code>{write(difference.replayed)}</code>
          </Fact>
        </dl>
      </ForPrograms>
    </section>
  );
}

/** What this release says in other words. */
function NoteList({ notes: { first, count, releases } }: { notes: Notes }) {
  return (
    <ForPrograms title={`Texts that were reworded or added since release ${releases.recorded}`}>
      <ul>
        {first.map(({ path, recorded, replayed }) => (
          <li>
            <code>{path}</code>: {recorded !== null && <code>{write(recorded)}</code>} now{" "}
            <code>{write(replayed)}</code>
          </li>
        ))}
        {count > first.length && <li>and {count - first.length} more</li>}
      </ul>
    </ForPrograms>
  );
}

/** PSPs by a part of their name, from the registers that are loaded. */
import type { Instant } from "../../platform/instant.ts";
import { describeEntry, MOST_FOUND, searchRegisters } from "../../registers/search.ts";
import { longCountryName } from "../check/jurisdictions.ts";

interface NamedPsp {
  readonly number: string;
  readonly name: string;
  readonly country: string;
}

/** With each number that certificates may have. Throws StoreError. */
export async function findByName(kv: KVNamespace, name: string, now: Instant): Promise<NamedPsp[]> {
  const { entries } = await searchRegisters(kv, name, null);
  const named = entries.flatMap((entry) => {
    const { psp_id, linked, names, country } = describeEntry(entry, now);
    const numbers = [psp_id, ...linked.map(({ number }) => number)];
    return numbers.map((number) => ({ number, name: names[0] ?? number, country }));
  });
  return [...new Map(named.map((each) => [each.number, each])).values()];
}

interface NamedProps {
  readonly psps: readonly NamedPsp[];
  /** Where the records of one are, by its number. */
  readonly link: (number: string) => string;
}

/** The PSPs that a search by name may mean: each leads to its records. */
export function Named({ psps, link }: NamedProps) {
  return (
    <section class="card" aria-labelledby="found">
      <h2 id="found">{psps.length === 0 ? "No PSP" : "Which PSP?"}</h2>
      {psps.length === 0 && <p>The loaded registers have no PSP of this name or number.</p>}
      <ul>
        {psps.map(({ number, name, country }) => (
          <li>
            <a href={link(number)}>{name}</a>, {longCountryName(country)} <code class="muted">{number}</code>
          </li>
        ))}
      </ul>
      {psps.length >= MOST_FOUND && <p class="muted">There are more: give more of the name.</p>}
    </section>
  );
}

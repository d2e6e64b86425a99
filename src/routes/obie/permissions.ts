/** The parameter `permissions` of an account access consent. Each wrong element is named by its index. */

import * as z from "zod";
import { PERMISSIONS } from "../../grants/permission.ts";
import { quoteAlways } from "../../platform/quotation.ts";
import { lazySchema } from "../../platform/schemas.ts";

const SHOWN_CHARACTERS = 40;
/** The largest edit distance for which a permission is suggested. Case differences do not count. */
const MAX_MISTAKES = 3;

export const permissions = lazySchema(() =>
  z
    .array(z.unknown(), "is not an array")
    .min(1, "is empty")
    .max(PERMISSIONS.length, {
      error: ({ input }) =>
        `has ${Array.isArray(input) ? input.length : 0} elements, but there are only ${PERMISSIONS.length} permissions`,
    })
    .pipe(z.array(z.enum(PERMISSIONS, { error: ({ input }) => explainUnknown(input) })))
    .superRefine((given, ctx) => {
      const repeated = given.find((permission, i) => given.indexOf(permission) < i);
      if (repeated !== undefined) ctx.addIssue({ code: "custom", message: `contains ${repeated} twice` });
    })
    .meta({ uniqueItems: true }),
);

function explainUnknown(element: unknown): string {
  if (typeof element !== "string") return "is not a string";
  const nearest = findNearest(element);
  const hint = nearest === null ? "" : `; the nearest is ${nearest}`;
  const shown = quoteAlways(element, SHOWN_CHARACTERS);
  return `is ${shown}, which is not a permission${hint}. Allowed: ${PERMISSIONS.join(", ")}`;
}

function findNearest(text: string): string | null {
  // a longer text is not within the distance of any permission
  if (text.length > SHOWN_CHARACTERS) return null;
  const [nearest] = PERMISSIONS.map((permission) => ({
    permission,
    mistakes: countMistakes(text.toLowerCase(), permission.toLowerCase()),
  })).sort((a, b) => a.mistakes - b.mistakes);
  return nearest && nearest.mistakes <= MAX_MISTAKES ? nearest.permission : null;
}

/** The Levenshtein distance. */
function countMistakes(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

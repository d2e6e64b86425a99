import { passDeadline } from "./deadlines.ts";

/**
 * `before` it is carried out, so that it never is; `during`: it is carried out later; `after`: only the answer is lost;
 * `never`: there is none, nor an error.
 */
export type FailureTime = "before" | "during" | "after" | "never";

const late = new Set<Promise<unknown>>();
/** Until all that was carried out later is done. */
export const endLateWrites = (): Promise<unknown> => Promise.all(late);

/** D1 that fails for some statements, and for a batch that holds one of them. */
export function failingDatabase<Database extends D1Database | D1DatabaseSession>(
  db: Database,
  fails: (sql: string) => boolean,
  when: FailureTime,
): Database {
  const originals = new WeakMap<D1PreparedStatement, { statement: D1PreparedStatement; sql: string }>();
  const fail = async (carryOut: () => Promise<unknown>): Promise<never> => {
    if (when === "never") await passDeadline();
    if (when === "during") late.add(new Promise((end) => setTimeout(() => carryOut().then(end, end), 20)));
    if (when === "after") await carryOut();
    throw new Error("D1_ERROR: Network connection lost.");
  };
  const wrap = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, property) {
        if (property === "bind") return (...values: unknown[]) => wrap(target.bind(...values), sql);
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          const carryOut = async () => Reflect.apply(value, target, args) as unknown;
          return fails(sql) ? fail(carryOut) : carryOut();
        };
      },
    });
    originals.set(wrapped, { statement, sql });
    return wrapped;
  };
  return new Proxy(db, {
    get(target, property) {
      if (property === "prepare") return (sql: string) => wrap(target.prepare(sql), sql);
      if (property === "batch")
        return (statements: D1PreparedStatement[]) => {
          const given = statements.map((statement) => originals.get(statement) ?? { statement, sql: "" });
          const carryOut = () => target.batch(given.map(({ statement }) => statement));
          return given.some(({ sql }) => fails(sql)) ? fail(carryOut) : carryOut();
        };
      if (property === "withSession" && "withSession" in target)
        return (constraint: string) => failingDatabase(target.withSession(constraint), fails, when);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

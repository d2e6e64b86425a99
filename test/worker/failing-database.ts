/** D1 that fails for some statements: before they are carried out, or after, as when an answer is lost on the way. */
export function failingDatabase<Database extends D1Database | D1DatabaseSession>(
  db: Database,
  fails: (sql: string) => boolean,
  when: "before" | "after",
): Database {
  const failing = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, property) {
        if (property === "bind") return (...values: unknown[]) => failing(target.bind(...values));
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]) => {
          if (when === "after") await Reflect.apply(value, target, args);
          throw new Error("D1_ERROR: Network connection lost.");
        };
      },
    });
  return new Proxy(db, {
    get(target, property) {
      if (property === "prepare")
        return (sql: string) => (fails(sql) ? failing(target.prepare(sql)) : target.prepare(sql));
      if (property === "withSession" && "withSession" in target)
        return (constraint: string) => failingDatabase(target.withSession(constraint), fails, when);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The units of `spend` that conditions read; `all` where a condition does not name them. */
export type UnitsRead = readonly string[] | "all";

export function joinUnitsRead(read: readonly UnitsRead[]): UnitsRead {
  const units = new Set<string>();
  for (const each of read) {
    if (each === "all") return "all";
    for (const unit of each) units.add(unit);
  }
  return [...units];
}

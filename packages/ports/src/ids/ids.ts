/** Names for new entities. */
export interface Ids {
  /**
   * A lower-case UUID of version 4 for the entity at `path`, its place in the structure. MUST
   * differ for different paths. MUST NOT depend on the number or the order of calls. A source MAY
   * answer differently each time (random), or always the same for the same path (seeded), never a
   * mix.
   */
  create(path: string): string;
}

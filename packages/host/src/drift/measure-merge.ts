interface Sides {
  readonly before: { readonly digest: string; readonly bytes: number };
  readonly after: { readonly digest?: string; readonly bytes?: number };
}

/** The bytes of the texts that a merge compares; none where both are the same. */
export function measureMerge({ before, after }: Sides): number {
  return before.digest === after.digest ? 0 : before.bytes + (after.bytes ?? 0);
}

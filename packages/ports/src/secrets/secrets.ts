/**
 * Where the secrets of tools come from. They are given to a tool that declares them, right before
 * it acts, and to nobody else.
 */
export interface Secrets {
  /**
   * The secret of this name, or undefined when there is none.
   * MUST answer with nothing but what was stored under that very name.
   * MUST NOT answer with an empty text: that is none.
   */
  read(name: string): Promise<string | undefined>;
}

/**
 * Bytes of the shortest secret that is given out, as UTF-8: a shorter one could not be kept out of
 * what a tool says without making it unreadable.
 */
export const SECRET_BYTES_MIN = 8;
/** Bytes of the longest one. */
export const SECRET_BYTES_MAX = 16 * 1024;

/**
 * The source of tools' secrets. A tool gets those that it declares, right before it acts, and no
 * other code does.
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
 * Bytes of the shortest secret, as UTF-8: removing a shorter one would make a tool's output
 * unreadable.
 */
export const SECRET_BYTES_MIN = 8;
/** Bytes of the longest one. */
export const SECRET_BYTES_MAX = 16 * 1024;

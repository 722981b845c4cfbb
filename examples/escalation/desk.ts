/** The world outside: who was paged, and what was sent, in order. */
export const desk: string[] = [];

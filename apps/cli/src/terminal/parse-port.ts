import { InvalidArgumentError } from "commander";

const PORT_MAX = 65_535;

/** Reads a port to listen on. */
export function parsePort(text: string): number {
  return parseFirstPort(text, 1);
}

/** Reads the first of several ports that follow each other. */
export function parseFirstPort(text: string, count: number): number {
  const port = Number(text);
  const last = PORT_MAX - count + 1;
  if (Number.isSafeInteger(port) && port >= 1 && port <= last) return port;
  throw new InvalidArgumentError(`Write a port from 1 to ${last}.`);
}

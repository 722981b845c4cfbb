/** To a hundredth of a cent, and never to nothing. */
export function formatMicros(micros: number): string {
  return (Math.ceil(micros / 100) / 10_000).toFixed(4);
}

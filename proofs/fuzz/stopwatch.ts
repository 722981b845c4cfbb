/**
 * Starts to measure; the answer tells the milliseconds since.
 *
 * The smaller of the two counts: the wall clock runs on while another program has the processor,
 * and the processor's time includes what other threads do meanwhile.
 */
export function startStopwatch(): () => number {
  const startedMs = performance.now();
  const startedCpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(startedCpu);
    return Math.min(performance.now() - startedMs, (user + system) / 1_000);
  };
}

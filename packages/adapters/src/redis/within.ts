/** Returns a promise's value; undefined when it fails or takes longer. */
export async function within<Value>(
  promise: Promise<Value>,
  delayMs: number,
): Promise<Value | undefined> {
  const timeUp = Promise.withResolvers<undefined>();
  const timer = setTimeout(timeUp.resolve, delayMs, undefined);
  const given = promise.catch(() => undefined);
  try {
    return await Promise.race([given, timeUp.promise]);
  } finally {
    clearTimeout(timer);
  }
}

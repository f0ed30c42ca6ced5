/** Calls a user's listener. An exception in it must not break the connection, and must not be swallowed. */
export function callListener(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    process.nextTick(() => {
      throw error
    })
  }
}

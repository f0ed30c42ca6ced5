/** Calls somebody's listener. Its fault is its own: it must not cost the connection, nor pass unseen. */
export function callListener(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    process.nextTick(() => {
      throw error
    })
  }
}

import { isRegistryError } from '../registry/registry-error.ts'

/** Whether what is read confirms something. Unknown is no confirmation. */
export async function isConfirmed<T>(
  answer: Promise<T>,
  confirms: (results: T) => boolean,
): Promise<boolean> {
  try {
    return confirms(await answer)
  } catch (error) {
    if (!isRegistryError(error)) throw error
    return false
  }
}

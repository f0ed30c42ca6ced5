import { isRegistryError } from '../registry/registry-error.ts'

/** Whether the read answer satisfies `confirms`. A failed read does not confirm anything. */
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

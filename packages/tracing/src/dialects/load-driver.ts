import { HistoryError } from '../errors.ts'
import { message } from '../message.ts'

/** Loads an optional peer dependency; the error says how to install it. */
export async function loadDriver<Module>(
  product: string,
  name: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    const isAbsent =
      cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    if (!isAbsent) throw cause
    throw new HistoryError(
      'HISTORY_DRIVER_MISSING',
      message('driver-missing', { product, package: name }),
      cause,
    )
  }
}

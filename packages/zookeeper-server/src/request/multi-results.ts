import { type JuteWriter, opCode } from '@elasticjob/zookeeper/protocol'

/** Written before each result of a multi: {int type; bool done; int error}. */
export function writeResultHeader(writer: JuteWriter, type: number, error: number = 0): void {
  writer.int(type)
  writer.bool(false)
  writer.int(error)
}

/** An error result contains its error number twice. */
export function writeErrorResult(writer: JuteWriter, error: number): void {
  writeResultHeader(writer, opCode.error, error)
  writer.int(error)
}

/** Written after the last result: {-1, true, -1}. */
export function writeResultsEnd(writer: JuteWriter): void {
  writer.int(-1)
  writer.bool(true)
  writer.int(-1)
}

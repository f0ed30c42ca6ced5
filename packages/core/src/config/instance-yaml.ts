import { isMap, isScalar } from 'yaml'
import { isNothing, textOf, YamlDocument, YamlProblem } from './snake-yaml/document.ts'
import { entryWriter } from './snake-yaml/write-mapping.ts'

/** The content of an instance's node. Java refuses any other key. */
export interface InstanceData {
  readonly jobInstanceId: string
  readonly labels: string | undefined
  readonly serverIp: string
}

/** Created once: a process writes the same keys for each of its jobs. */
const write = {
  jobInstanceId: entryWriter('jobInstanceId'),
  labels: entryWriter('labels'),
  serverIp: entryWriter('serverIp'),
}

export function writeInstance({ jobInstanceId, labels, serverIp }: InstanceData): string {
  return (
    write.jobInstanceId(jobInstanceId) +
    (labels === undefined ? '' : write.labels(labels)) +
    write.serverIp(serverIp)
  )
}

/** The content of an instance's node; undefined if it is empty (as 2.x leaves it) or unreadable. */
export function readInstance(text: string): InstanceData | undefined {
  const fields = fieldsOf(text)
  const jobInstanceId = fields.get('jobInstanceId')
  const serverIp = fields.get('serverIp')
  if (!jobInstanceId || !serverIp) return undefined
  return { jobInstanceId, labels: fields.get('labels'), serverIp }
}

/** Whether the content of the node is a manual trigger by an operator of 2.x. */
export function isTriggerMark(text: string): boolean {
  return text.trim() === 'TRIGGER'
}

function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  try {
    const document = new YamlDocument(text)
    if (!isMap(document.root)) return fields
    for (const { key, value } of document.entriesOf(document.root)) {
      if (isScalar(value) && !isNothing(value)) fields.set(key, textOf(value))
    }
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error
  }
  return fields
}

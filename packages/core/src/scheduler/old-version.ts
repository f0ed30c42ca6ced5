/** Instances of Elastic-Job 1.x and 2.x write no claims and respect none, so no native instance runs beside them. */
import { isTriggerMark } from '../config/instance-yaml.ts'
import { isLegacyJson } from '../config/legacy-json.ts'
import { ElasticJobError } from '../errors.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { toText } from '../registry/transaction.ts'

/**
 * Whether an instance with an id of Java's form is a 2.x instance. Instances of 3.x identify themselves in the content
 * of their node, but a manual trigger by an operator of 2.x replaces that content.
 */
function isOldInstance(instanceText: string, configText: string): boolean {
  return instanceText.trim() === '' || (isTriggerMark(instanceText) && isLegacyJson(configText))
}

/** Throws while an instance of 2.x, or a server of 1.x, takes part in the job. */
export async function requireNoOldVersion(
  { session, replica, jobName }: Coordination,
  configText: string,
): Promise<void> {
  const { paths, instances, servers } = replica
  const found = await Promise.all([
    ...[...instances].filter(isJavaInstance).map(async (id) => {
      const node = await session.find(paths.instance(id))
      return node !== undefined && isOldInstance(toText(node.data), configText) ? [id] : []
    }),
    // Only for a 1.x job, whose configuration is empty.
    ...(configText.trim() === '' ? [...servers.keys()] : []).map(async (ip) => {
      const node = await session.find(`${paths.server(ip)}/status`)
      return node === undefined ? [] : [ip]
    }),
  ])
  const [one] = found.flat()
  if (one === undefined) return
  throw new ElasticJobError(
    'JOB_CONFLICT',
    `job ${jobName} is run by Elastic-Job 1.x or 2.x on ${found.flat().join(', ')}, which knows nothing of claims and leases; ` +
      'stop it there, then schedule the job again',
  )
}

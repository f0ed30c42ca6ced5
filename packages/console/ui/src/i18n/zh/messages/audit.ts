/** The messages of the audit log; those about jobs are in operations. */
export const audit: Readonly<Record<string, string>> = {
  done: '已完成',
  'nothing to do': '无需任何操作',
  'and {} more': '以及另外 {0} 项',
  '{} so before': '{0} 项原本如此',
  'left out: {}': '未处理：{0}',
  'failed: {}': '失败：{0}',
  '{} of {} jobs, {} failed': '批量操作 {0}：共 {1} 个作业，{2} 个失败',
  'everything was so already': '一切原本如此，没有更改',
  'the configuration of job {} was shown with its secrets': '已显示作业 {0} 的配置及其机密',
  'changed: {}': '已更改：{0}',
  '{} has logged in': '{0} 已登录',
  'the password of {} is another': '{0} 的密码已更改',
  'registry {}: {}, namespace {}': '注册中心 {0}：{1}，命名空间 {2}',
  'registry {} is forgotten': '注册中心 {0} 已移除',
  'data source {}: {}': '数据源 {0}：{1}',
  'data source {} is forgotten': '数据源 {0} 已移除',
}

/** The page of a lift as it would be shown now. */
import type { ApiClient } from '#app/api/client.server.ts'
import { encodePath } from '#app/api/path.ts'
import { LiftPage } from '#app/domain/lifts/page.ts'
import { drawBlocks } from '#app/routes/lift/markdown.server.tsx'

export type LiftPreviewPage = Awaited<ReturnType<typeof readLiftPreview>>

export async function readLiftPreview(api: ApiClient, liftId: number) {
  const { blocks, ...lift } = await api.get(encodePath`/lifts/${liftId}/test_page`, LiftPage)
  return { lift: { ...lift, blocks: [] }, blocks: drawBlocks(blocks) }
}

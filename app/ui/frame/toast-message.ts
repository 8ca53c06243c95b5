export const TOAST_VARIANTS = ['info', 'success', 'warning', 'error'] as const

export type ToastMessage = {
  title: string
  message?: string | undefined
  variant: (typeof TOAST_VARIANTS)[number]
  /** Distinguishes a toast from the next one with the same words. */
  id: string
}

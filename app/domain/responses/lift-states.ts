/** How far a learner is with a lift, in the words of the learner’s own pages. */
export const STATES: Readonly<Record<string, string>> = {
  planned: 'Planned',
  held: 'On hold',
  due: 'Being sent',
  sent: 'Sent',
  opened: 'Opened',
  responded: 'Answered in part',
  completed: 'Completed',
  expired: 'Closed unanswered',
  suppressed: 'Not sent',
}

-- stake, unstake: coins that lie with a program of the network and are still the wallet's.
ALTER TABLE position_events_final MODIFY COLUMN kind Enum8('vault_deposit' = 1, 'vault_withdraw' = 2, 'lend' = 3, 'unlend' = 4, 'borrow' = 5, 'repay' = 6, 'increase' = 7,
  'decrease' = 8, 'collect' = 9, 'stake' = 10, 'unstake' = 11);
ALTER TABLE position_events_head MODIFY COLUMN kind Enum8('vault_deposit' = 1, 'vault_withdraw' = 2, 'lend' = 3, 'unlend' = 4, 'borrow' = 5, 'repay' = 6, 'increase' = 7,
  'decrease' = 8, 'collect' = 9, 'stake' = 10, 'unstake' = 11);
ALTER TABLE position_events MODIFY COLUMN kind Enum8('vault_deposit' = 1, 'vault_withdraw' = 2, 'lend' = 3, 'unlend' = 4, 'borrow' = 5, 'repay' = 6, 'increase' = 7,
  'decrease' = 8, 'collect' = 9, 'stake' = 10, 'unstake' = 11);

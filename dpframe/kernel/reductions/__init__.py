"""Operations on operations: control flow with static bounds, and reductions that expand into nodes."""

"""What a run says, in the forms that people and programs read."""

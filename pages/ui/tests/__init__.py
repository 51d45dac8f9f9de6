"""The tests of one lens, with what stands folded below them."""

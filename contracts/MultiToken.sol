// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Many kinds of token in one contract (EIP-1155), as little of the standard as wallets and indexers read.
contract MultiToken {
    mapping(address => mapping(uint256 => uint256)) private balances;

    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values);

    function balanceOf(address account, uint256 id) external view returns (uint256) {
        return balances[account][id];
    }

    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata values) external {
        for (uint256 i = 0; i < ids.length; i++) balances[to][ids[i]] += values[i];
        emit TransferBatch(msg.sender, address(0), to, ids, values);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata) external {
        require(msg.sender == from && balances[from][id] >= value, "MultiToken: not that much");
        balances[from][id] -= value;
        balances[to][id] += value;
        emit TransferSingle(msg.sender, from, to, id, value);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26;
    }
}
